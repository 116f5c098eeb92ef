// What the user is told about a program: a numbered code, a place, a sentence, and notes with further places.
// Comes in: what a stage found wrong, with its span. Goes out: a diagnostic. May use: this room.
#pragma once
#include "atl/base/fix.h"
#include "atl/base/source.h"
#include "atl/base/span.h"
#include "atl/base/style.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace atl {

// 1xxx parse and names, 2xxx types and shapes, 3xxx pads, 4xxx lowering, 5xxx schedules, 6xxx the emitted C,
// 7xxx obligations, 8xxx files and command line.
enum class Code : int {
#define ATL_CODE(number, name, meaning) name = number,
#include "atl/base/codes.def"
#undef ATL_CODE
};

struct CodeInfo {
  int number;
  std::string_view name, meaning;
};
const std::vector<CodeInfo> &all_codes();

struct Note {
  std::optional<Span> span;
  std::string text;
};

struct Diagnostic {
  Code code;
  std::optional<Span> span; // none: about a file or the command line, not a place in a program
  std::string message;      // one sentence, no full stop, in the user's names
  std::vector<Note> notes;
  std::vector<Fix> fixes = {}; // the likeliest first
};

// Adds it unless one with this code about this place is there: copies of a loop fail alike.
void add_once(std::vector<Diagnostic> &all, Diagnostic one);

// "file:line:col: error[E2003]: message", the source line, a caret line, then "note:" lines, then "help:"
// with the lines that a fix changes.
std::string render(const Diagnostic &diagnostic, const Sources &sources, const Style &style = Style());
std::string code_name(Code code); // "E2003"

} // namespace atl
