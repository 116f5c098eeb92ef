#include "tests/support/c_mutants.h"

#include "cbackend/library/emit_c.h"
#include "proofs/discharge.h"
#include "proofs/reader/c/parse_c.h"
#include "tests/support/part.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>

namespace atl::testing {

using proofs::reader::Emitted;
using proofs::reader::Token;

Emitted emitted(const std::vector<lowering::LoopKernel> &kernels) {
  cbackend::Library library = cbackend::emit_library("lib", kernels);
  return {"lib", library.header.name, library.header.text, library.source.text};
}

namespace {

// Why it is refused; empty if it is not.
std::string refusal(const Emitted &text, const std::vector<lowering::LoopKernel> &kernels,
                    proofs::Prover &prover) {
  proofs::reader::Reading reading = read_back(text, kernels);
  if (!reading.differences.empty())
    return reading.differences[0].message;
  for (const Obligation &condition : reading.conditions)
    if (prover.decide(condition).status != proofs::Verdict::Status::proved)
      return condition.what;
  return "";
}

struct Mutant {
  std::size_t begin, end; // what is replaced
  std::string by;
};

// What stands for a token by mistake.
std::vector<std::string> mistakes(const Token &token, const std::vector<std::string> &names) {
  static const std::map<std::string, std::vector<std::string>, std::less<>> table{
      {"+", {"-", "*"}},
      {"-", {"+"}},
      {"*", {"+", "/"}},
      {"/", {"%", "*"}},
      {"%", {"/"}},
      {"<", {"<=", ">"}},
      {"<=", {"<"}},
      {">", {">=", "<"}},
      {">=", {">"}},
      {"==", {"!=", "<="}},
      {"!=", {"=="}},
      {"&&", {"||"}},
      {"||", {"&&"}},
      {"=", {"+="}},
      {"+=", {"=", "*="}},
      {"*=", {"+="}},
      {"++", {"--"}},
      {"!", {"-"}},
      {"?", {"&&"}},
      {"int64_t", {"int32_t", "float"}},
      {"float", {"double"}},
      {"double", {"float"}},
      {"int32_t", {"int64_t", "uint32_t"}},
      {"uint8_t", {"int8_t"}},
      {"int8_t", {"uint8_t"}},
      {"int", {"int64_t"}},
      {"bool", {"int"}},
      {"true", {"false"}},
      {"false", {"true"}}};
  if (auto row = table.find(token.text); row != table.end())
    return row->second;
  std::string text(token.text);
  if (token.kind == Token::Kind::number && text.find_first_of("x.e") == std::string::npos) {
    std::string suffix = text.ends_with('u') ? "u" : "";
    return {std::to_string(std::stoull(text) + 1) + suffix,
            text == "0" ? "-1" : std::to_string(std::stoull(text) - 1) + suffix};
  }
  if (token.kind == Token::Kind::number)
    return {"1" + text, text.ends_with('f') ? text.substr(0, text.size() - 1) : text + "f"};
  if (token.kind == Token::Kind::directive)
    return {"#endif", text + "x"};
  if (token.kind == Token::Kind::text)
    return {"\"no error\"", "\"\""};
  bool is_name = std::find(names.begin(), names.end(), text) != names.end();
  return is_name ? names : std::vector<std::string>{};
}

// Words for which there are no mistakes in the table: variables and functions, but not C's own.
std::vector<std::string> names_in(const std::vector<Token> &tokens) {
  static const std::set<std::string_view> keywords{"const", "restrict", "if",     "for",  "return",
                                                   "void",  "sizeof",   "static", "char", "inline"};
  std::set<std::string> words;
  for (const Token &t : tokens)
    if (t.kind == Token::Kind::word && !proofs::reader::is_type(t.text) && !keywords.contains(t.text))
      words.insert(std::string(t.text));
  return {words.begin(), words.end()};
}

std::vector<Mutant> mutants_of(const std::string &source) {
  std::vector<Mutant> mutants;
  std::vector<Token> tokens = proofs::reader::tokens_of(source);
  std::vector<std::string> names = names_in(tokens);
  for (const Token &t : tokens) {
    if (t.kind == Token::Kind::end)
      break;
    for (const std::string &by : mistakes(t, names))
      if (by != t.text)
        mutants.push_back({t.at, t.at + t.text.size(), by});
    mutants.push_back({t.at, t.at + t.text.size(), " "});
  }
  // Lines that are missing, or there twice.
  for (std::size_t begin = 0; begin < source.size();) {
    std::size_t end = source.find('\n', begin) + 1;
    std::string line = source.substr(begin, end - begin);
    if (line.find_first_not_of(" \n") != std::string::npos && line.find("//") == std::string::npos) {
      mutants.push_back({begin, end, ""});
      mutants.push_back({begin, end, line + line});
    }
    begin = end;
  }
  return mutants;
}

// What a number of bytes is, by its declaration; another name is itself.
std::string definition_of(const std::string &source, const std::string &name) {
  std::string declaration = "const int64_t " + name + " = ";
  std::size_t begin = source.find(declaration);
  if (begin == std::string::npos)
    return name;
  begin += declaration.size();
  return source.substr(begin, source.find(';', begin) - begin);
}

// Says the same with other words: const and restrict forbid, but do nothing; tensors of one shape have the
// same number of bytes.
bool means_the_same(const std::string &source, const Mutant &m) {
  std::string was = source.substr(m.begin, m.end - m.begin);
  bool is_gone = m.by.find_first_not_of(' ') == std::string::npos;
  bool is_unused = was.find("(void)") != std::string::npos;
  return (is_gone && (was == "const" || was == "restrict" || is_unused)) ||
         was.find_first_not_of("();") == std::string::npos ||
         definition_of(source, was) == definition_of(source, m.by);
}

} // namespace

std::size_t check_mutants(const std::vector<lowering::LoopKernel> &kernels, const std::string &from) {
  Emitted right = emitted(kernels);
  proofs::Prover prover;
  REQUIRE_MESSAGE(refusal(right, kernels, prover).empty(), right.source, refusal(right, kernels, prover));
  std::size_t begin = right.source.find(from), count = 0;
  REQUIRE(begin != std::string::npos);
  for (const Mutant &m : mutants_of(right.source)) {
    if (m.begin < begin || !has_its_turn(count++))
      continue;
    Emitted wrong = right;
    wrong.source.replace(m.begin, m.end - m.begin, m.by);
    std::size_t line = right.source.rfind('\n', m.begin) + 1;
    if (!means_the_same(right.source, m) && refusal(wrong, kernels, prover).empty())
      FAIL_CHECK("accepted: '", right.source.substr(m.begin, m.end - m.begin), "' -> '", m.by, "' in ",
                 right.source.substr(line, right.source.find('\n', m.begin) - line));
  }
  return count;
}

} // namespace atl::testing
