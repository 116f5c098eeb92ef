// How a mistake may be mended: places of the text, and what to write there instead.
// Comes in: a text and edits of it. Goes out: the text as it would be. May use: this room.
#pragma once
#include "atl/base/source.h"
#include "atl/base/span.h"

#include <string>
#include <string_view>
#include <vector>

namespace atl {

struct Edit {
  Span span; // empty: the text is inserted before it
  std::string text;
};

struct Fix {
  std::string sentence;    // what to do, no full stop: "write select(condition, value, other)"
  std::vector<Edit> edits; // of one file, none over another; none: the sentence is all there is to say
  bool advises = true;     // the sentence is worth saying also where the edits do not help
};

// The text after the edits of it, and the places of what they wrote, in the order of the text.
struct Edited {
  std::string text;
  std::vector<Span> written;
};
Edited edited(std::string_view text, std::vector<Edit> edits);

// The lines that a fix changes, as they would be, with a line of marks below what is new.
std::string show(const Fix &fix, const Sources &sources);

} // namespace atl
