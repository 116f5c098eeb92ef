#include "fuzz/hostile_mutate.h"

#include <algorithm>
#include <optional>

namespace atl::fuzz {

namespace {

using Tokens = std::vector<Token>;
using Kind = Token::Kind;

const std::vector<std::string> extremes{"0",
                                        "1",
                                        "2",
                                        "-1",
                                        "31",
                                        "64",
                                        "1000000",
                                        "2147483647",
                                        "2147483648",
                                        "4294967296",
                                        "9223372036854775807",
                                        "(-9223372036854775807 - 1)",
                                        "9223372036854775808",
                                        "18446744073709551616",
                                        "1000000000000000000000000000000000000000",
                                        "1.0e400",
                                        "0x7fffffffffffffff"};
const std::vector<int> depths{2, 20, 400, 499, 501, 3000};

class Mutator {
public:
  Mutator(const Corpus &corpus, Random &random, Tokens tokens)
      : corpus_(corpus), random_(random), tokens_(std::move(tokens)) {}

  void change(bool keeps_syntax) {
    tokens_ = tokens_of(text_of(tokens_)); // what was changed may be others by now
    if (tokens_.empty())
      return;
    Choice<void> choice;
    choice.add(25, [&] { replace_by_own(); });
    choice.add(12, [&] { replace_by_another(); });
    choice.add(14, [&] { extreme_number(); });
    choice.add(12, [&] { change_expression(); });
    choice.add(8, [&] { erase_statement(); });
    choice.add(6, [&] { repeat_statement(); });
    choice.add(6, [&] { swap_statements(); });
    choice.add(12, [&] { insert_step(); });
    choice.add(5, [&] { replace_group(); });
    if (!keeps_syntax) {
      choice.add(20, [&] { erase(place(), 1); });
      choice.add(15, [&] { insert(place(), Tokens{tokens_[place()]}); });
      choice.add(15, [&] { std::swap(tokens_[place()].text, tokens_[place()].text); });
      choice.add(15, [&] { replace_by_any(); });
      choice.add(8, [&] { nest(); });
      choice.add(8, [&] { repeat_line(); });
      choice.add(12, [&] { erase_group(); });
      choice.add(8, [&] { insert(place(), corpus_.group(random_, random_.pick(brackets))); });
      choice.add(6, [&] { insert(random_.chance(50) ? 0 : place(), corpus_.definition(random_)); });
      choice.add(3, [&] { tokens_.resize(place()); });
    }
    choice.choose(random_);
  }

  std::string text() const { return text_of(tokens_); }

private:
  static inline const std::vector<char> brackets{'(', '[', '{'};

  std::size_t place() { return static_cast<std::size_t>(random_.below(static_cast<int>(tokens_.size()))); }
  auto at(std::size_t i) { return tokens_.begin() + static_cast<std::ptrdiff_t>(i); }
  void erase(std::size_t begin, std::size_t count) { tokens_.erase(at(begin), at(begin + count)); }
  void insert(std::size_t i, Tokens more) {
    more.front().blank = " ";
    tokens_.insert(at(i), more.begin(), more.end());
  }

  std::vector<std::size_t> all_of(Kind kind) const {
    std::vector<std::size_t> all;
    for (std::size_t i = 0; i < tokens_.size(); ++i)
      if (tokens_[i].kind == kind)
        all.push_back(i);
    return all;
  }

  // A token of its kind that the program has: mostly names of what there is.
  void replace_by_own() {
    const std::size_t i = changeable();
    tokens_[i].text = tokens_[random_.pick(all_of(tokens_[i].kind))].text;
  }

  void replace_by_another() {
    const std::size_t i = changeable();
    tokens_[i].text = corpus_.token(random_, tokens_[i].kind).text;
  }

  void replace_by_any() {
    static const std::vector<Kind> kinds{Kind::name, Kind::keyword, Kind::number, Kind::op, Kind::other};
    tokens_[place()].text = corpus_.token(random_, random_.pick(kinds)).text;
  }

  // One that another of its kind can mostly stand for.
  std::size_t changeable() {
    std::size_t i = place();
    for (int tries = 20; tries > 0; --tries, i = place())
      if (const Kind kind = tokens_[i].kind; kind == Kind::name || kind == Kind::number || kind == Kind::op ||
                                             (kind == Kind::keyword && random_.chance(20)))
        break;
    return i;
  }

  // A name or a number becomes something with it.
  void change_expression() {
    static const std::vector<std::pair<std::string, std::string>> around{{"(", " + 1)"},
                                                                         {"(", " - 1)"},
                                                                         {"(", " / 2)"},
                                                                         {"(", " % 3)"},
                                                                         {"(", " * 0)"},
                                                                         {"min(", ", 0)"},
                                                                         {"cdiv(", ", 2)"},
                                                                         {"max(", ", 7)"},
                                                                         {"(-", ")"},
                                                                         {"(0 / ", ")"},
                                                                         {"transpose ", ""},
                                                                         {"flatten ", ""},
                                                                         {"split 4 ", ""},
                                                                         {"padr 3 ", ""},
                                                                         {"truncl 1 ", ""},
                                                                         {"raise 1 ", ""},
                                                                         {"sink 1 ", ""},
                                                                         {"overlap 2 ", ""},
                                                                         {"rotate 2 ", ""},
                                                                         {"[1 < 2] ", ""},
                                                                         {"f32(", ")"},
                                                                         {"u8(", ")"},
                                                                         {"sat_i8(", ")"},
                                                                         {"abs(", ")"},
                                                                         {"(1 - ", ")"},
                                                                         {"gen i9 < 0 { ", " }"},
                                                                         {"sum i8 < 3 { ", " }"},
                                                                         {"max i7 < N { ", " }"},
                                                                         {"(", " * N)"}};
    Token &token = tokens_[changeable()];
    if (token.kind == Kind::name || token.kind == Kind::number) {
      const auto &[open, close] = random_.pick(around);
      token.text = open + token.text + close;
    }
  }

  std::optional<Range> statement() {
    std::vector<std::size_t> ends;
    for (std::size_t i = 0; i < tokens_.size(); ++i)
      if (tokens_[i].text == ";")
        ends.push_back(i);
    return ends.empty() ? std::nullopt : std::optional(statement_at(tokens_, random_.pick(ends)));
  }

  void erase_statement() {
    if (auto s = statement())
      erase(s->begin, s->end - s->begin);
  }

  void repeat_statement() {
    if (auto s = statement())
      insert(s->end, Tokens(at(s->begin), at(s->end)));
  }

  void swap_statements() {
    auto a = statement(), b = statement();
    if (!a || a->end > b->begin)
      return;
    const Tokens first(at(a->begin), at(a->end)), second(at(b->begin), at(b->end));
    erase(b->begin, second.size());
    insert(b->begin, first);
    erase(a->begin, first.size());
    insert(a->begin, second);
  }

  // A step of any schedule, of names that the program has.
  void insert_step() {
    auto s = statement();
    const std::vector<std::size_t> names = all_of(Kind::name);
    if (!s || names.empty())
      return;
    Tokens step = corpus_.step(random_);
    for (std::size_t i = 1; i < step.size(); ++i)
      if (step[i].kind == Kind::name && random_.chance(70))
        step[i].text = tokens_[random_.pick(names)].text + (random_.chance(20) ? ".o" : "");
    insert(s->end, step);
  }

  void extreme_number() {
    const std::vector<std::size_t> numbers = all_of(Kind::number);
    const std::size_t i = numbers.empty() ? place() : random_.pick(numbers);
    tokens_[i].text = random_.pick(extremes);
  }

  // Brackets or operators around one token, many times.
  void nest() {
    static const std::vector<std::pair<std::string, std::string>> around{
        {"(", ")"},       {"-", ""},          {"{", "}"},      {"not ", ""},
        {"[i < 1] ", ""}, {"transpose ", ""}, {"min(1, ", ")"}};
    const auto &[open, close] = random_.pick(around);
    Token &token = tokens_[place()];
    for (int depth = random_.pick(depths); depth > 0; --depth) {
      token.text.insert(0, open);
      token.text += close;
    }
  }

  void repeat_line() {
    std::size_t begin = place(), end = begin + 1;
    auto starts_line = [&](std::size_t i) { return tokens_[i].blank.find('\n') != std::string::npos; };
    while (begin > 0 && !starts_line(begin))
      --begin;
    while (end < tokens_.size() && !starts_line(end))
      ++end;
    const Tokens line(at(begin), at(end));
    for (int times = random_.chance(90) ? random_.between(1, 3) : random_.between(10, 60); times > 0; --times)
      tokens_.insert(at(end), line.begin(), line.end());
  }

  void erase_group() {
    const std::vector<std::size_t> opens = all_of(Kind::open);
    if (opens.empty())
      return;
    const std::size_t i = random_.pick(opens);
    erase(i, behind_group(tokens_, i) - i);
  }

  void replace_group() {
    const std::vector<std::size_t> opens = all_of(Kind::open);
    if (opens.empty())
      return;
    const std::size_t i = random_.pick(opens);
    const Tokens other = corpus_.group(random_, tokens_[i].text[0]);
    erase(i, behind_group(tokens_, i) - i);
    insert(i, other);
  }

  const Corpus &corpus_;
  Random &random_;
  Tokens tokens_;
};

std::string with_random_bytes(std::string text, Random &random) {
  for (int count = random.between(1, 8); count > 0 && !text.empty(); --count)
    text[static_cast<std::size_t>(random.below(static_cast<int>(text.size())))] =
        static_cast<char>(random.below(256));
  return text;
}

} // namespace

std::string hostile_input(const Corpus &corpus, Random &random) {
  Tokens tokens = tokens_of(corpus.program(random));
  if (random.chance(10)) // definitions of two files in one
    for (Token &token : tokens_of(corpus.program(random)))
      tokens.push_back(std::move(token));
  Mutator mutator(corpus, random, std::move(tokens));
  const bool keeps_syntax = random.chance(75);
  for (int changes = random.chance(50) ? 1 : random.between(2, 5); changes > 0; --changes)
    mutator.change(keeps_syntax);
  return random.chance(3) ? with_random_bytes(mutator.text(), random) : mutator.text();
}

} // namespace atl::fuzz
