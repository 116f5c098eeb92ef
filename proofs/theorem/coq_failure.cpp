#include "proofs/theorem/coq_failure.h"

#include "atl/base/source.h"

#include <cstdio>
#include <fmt/format.h>
#include <sstream>
#include <utility>
#include <vector>

namespace atl::proofs::coq {

namespace {

// What the lemmas of every file say; an obligation has its words in the comment before it.
const std::vector<std::pair<std::string, std::string>> lemmas_of_every_file{
    {"satisfied", "some sizes satisfy all that is given of them"},
    {"widths", "all numbers of the loop nest fit 64 bits"},
    {"in_bounds", "accesses are inside their tensors, and what truncations cut is padding"},
    {"loops", "the loop nest does what lowering makes of the scheduled program"},
    {"output", "the scheduled program denotes what the algorithm denotes"},
    {"correct", "the theorem follows from these lemmas"},
};

std::optional<std::string> words_for(const std::string &lemma) {
  for (const auto &[name, words] : lemmas_of_every_file)
    if (lemma.starts_with(name))
      return words;
  return std::nullopt;
}

// The last one before an error: `File "a.v", line 12, characters 2-6:`.
std::optional<std::size_t> line_of_error(const std::vector<std::string> &output) {
  for (auto line = output.rbegin(); line != output.rend(); ++line) {
    const std::size_t at = line->find("\", line ");
    std::size_t number = 0;
    if (line->starts_with("File \"") && at != std::string::npos &&
        std::sscanf(line->c_str() + at, "\", line %zu", &number) == 1)
      return number;
  }
  return std::nullopt;
}

// X of `  Lemma X : ...`.
std::optional<std::string> name_of_lemma(const std::string &line) {
  std::istringstream words(line);
  std::string kind, name;
  words >> kind >> name;
  if (kind != "Lemma" && kind != "Theorem")
    return std::nullopt;
  return name.substr(0, name.find(':'));
}

std::string without_margin(const std::string &line) {
  const std::size_t begin = line.find_first_not_of(' ');
  return begin == std::string::npos ? "" : line.substr(begin);
}

// The tactics print it, perhaps on several lines: `not found in widths: ...`
// (proofs/coq/tactics/Obligations.v).
std::string claim_in(const std::vector<std::string> &output, const std::string &lemma) {
  static const std::string begin = "not found in ";
  std::string claim;
  bool begun = false;
  for (const std::string &line : output) {
    const std::size_t colon = line.find(':');
    if (!begun) {
      begun = line.starts_with(begin) && colon != std::string::npos &&
              lemma.starts_with(line.substr(begin.size(), colon - begin.size()));
      if (begun)
        claim = without_margin(line.substr(colon + 1));
    } else if (claim.empty() || line.starts_with(" ")) {
      claim += (claim.empty() ? "" : " ") + without_margin(line);
    } else {
      break;
    }
  }
  return claim;
}

// What is in `(** ... *)`.
std::string comment_in(const std::string &line) {
  const std::size_t begin = line.find("(** "), end = line.rfind(" *)");
  return begin == std::string::npos || end == std::string::npos ? ""
                                                                : line.substr(begin + 4, end - begin - 4);
}

} // namespace

std::optional<UnprovedLemma> unproved_lemma(const std::string &file, const std::string &output) {
  const std::vector<std::string> lines = lines_of(file), printed = lines_of(output);
  const std::optional<std::size_t> error = line_of_error(printed);
  if (!error || *error > lines.size())
    return std::nullopt;
  for (std::size_t n = *error; n > 0; --n)
    if (const auto name = name_of_lemma(lines[n - 1])) {
      const auto words = words_for(*name);
      return UnprovedLemma{*name,
                           words   ? *words
                           : n > 1 ? comment_in(lines[n - 2])
                                   : "",
                           claim_in(printed, *name)};
    }
  return std::nullopt;
}

} // namespace atl::proofs::coq
