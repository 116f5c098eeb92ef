// Terms in sentences of Coq: applications of constructors, lists, pairs, and arithmetic between them.
#pragma once
#include "proofs/reader/coq/sentences.h"

#include <optional>

namespace atl::proofs::reader::coq {

struct Term;
using Terms = std::vector<Term>;

struct Term {
  enum class Kind {
    word,        // text
    number,      // text, with its sign
    natural,     // text: the digits in front of %nat
    text,        // text: a string
    list,        // [args; ...]
    pair,        // (args[0], args[1])
    application, // args[0] args[1] ...
    prefix,      // text: ~; args: the operand
    infix,       // text: the operator; args: two
  } kind;
  std::string text;
  Terms args;
  std::uint32_t at;
};

// The whole of a sentence from word `first` on.
Term term_of(const Sentence &sentence, std::size_t first);

// Whether it is the constructor `head` on so many arguments.
bool applies(const Term &term, std::string_view head, std::size_t arguments);
bool is_word(const Term &term, std::string_view text);
void need(const Term &term, std::string_view head, std::size_t arguments); // throws if it does not apply it

} // namespace atl::proofs::reader::coq
