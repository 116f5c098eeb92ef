// The text of a theorem as coqc reads it: sentences of tokens, without comments.
#pragma once
#include "proofs/reader/c/tokens.h"

#include <string>
#include <string_view>
#include <vector>

namespace atl::proofs::reader::coq {

// word: a name, with the dots of a qualified one. text: a string without its quotes.
struct Word {
  enum class Kind { word, number, text, symbol } kind;
  std::string text;
  std::uint32_t at; // where it begins
};
using Sentence = std::vector<Word>; // without the period that ends it

// Throws Difference where the text is not of the kind that atlc writes.
std::vector<Sentence> sentences_of(std::string_view text);

} // namespace atl::proofs::reader::coq
