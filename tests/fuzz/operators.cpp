#include "fuzz/operators.h"

#include "atl/scalar/scalar.h"
#include "atl/syntax/ops/reshape_op.h"
#include "fuzz/generate.h"

#include <cctype>
#include <set>

namespace atl::fuzz {

namespace {

constexpr std::uint64_t programs = 3000;

bool is_letter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// Names, and what stands between them without spaces: `a[i] <= 2` has `a`, `[`, `i`, `]`, `<=`, `2`.
void collect_words(const std::string &text, std::set<std::string> &into) {
  for (std::size_t begin = 0, end = 0; begin < text.size(); begin = end) {
    end = begin + 1;
    if (text[begin] == ' ')
      continue;
    if (is_letter(text[begin]))
      while (end < text.size() && is_letter(text[end]))
        ++end;
    else if (end < text.size() && text[end] == '=')
      ++end;
    into.insert(text.substr(begin, end - begin));
  }
}

} // namespace

std::vector<std::string> operators_never_drawn() {
  std::set<std::string> words;
  for (std::uint64_t n = 0; n < programs; ++n) {
    Random random(1, n);
    collect_words(generate_program(random, "k").minimal, words);
  }
  std::vector<std::string> missing;
  for (const ReshapeOp *op : reshape_ops)
    if (!words.contains(std::string(op->name)))
      missing.emplace_back(op->name);
  for (const ScalarOp &op : scalar_ops())
    if (!words.contains(std::string(op.name)))
      missing.emplace_back(op.name);
  return missing;
}

} // namespace atl::fuzz
