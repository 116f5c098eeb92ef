#include "proofs/reader/coq/term.h"

#include <algorithm>
#include <initializer_list>

namespace atl::proofs::reader::coq {

namespace {

using Kind = Term::Kind;

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> list) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

class TermReader {
public:
  TermReader(const Sentence &sentence, std::size_t first) : sentence_(sentence), next_(first) {}

  Term whole() {
    Term result = connected();
    if (next_ < sentence_.size())
      fail("the term goes on");
    return result;
  }

private:
  // From the operators that bind least to those that bind most.
  Term connected() {
    Term left = related();
    if (sees({"/\\", "\\/"})) {
      const Word op = take();
      return infix(op, std::move(left), connected());
    }
    return left;
  }

  Term related() {
    if (sees({"~"})) {
      const Word op = take();
      return {Kind::prefix, op.text, {related()}, op.at};
    }
    Term left = computed();
    if (sees({"<", "<=", ">", ">=", "=", "<>"})) {
      const Word op = take();
      return infix(op, std::move(left), computed());
    }
    return left;
  }

  // atlc puts parentheses around each operation, so one is enough.
  Term computed() {
    Term left = application();
    if (sees({"+", "-", "*", "/", "mod"})) {
      const Word op = take();
      return infix(op, std::move(left), application());
    }
    return left;
  }

  static Term infix(const Word &op, Term left, Term right) {
    Term result{Kind::infix, op.text, {}, op.at};
    result.args.push_back(std::move(left));
    result.args.push_back(std::move(right));
    return result;
  }

  Term application() {
    Term head = atom();
    if (!begins_atom())
      return head;
    Term result{Kind::application, {}, {}, head.at};
    result.args.push_back(std::move(head));
    while (begins_atom())
      result.args.push_back(atom());
    return result;
  }

  bool begins_atom() const {
    if (next_ >= sentence_.size())
      return false;
    const Word &word = sentence_[next_];
    return word.kind == Word::Kind::symbol ? is_one_of(word.text, {"(", "["}) : word.text != "mod";
  }

  Term atom() {
    const Word word = take();
    switch (word.kind) {
    case Word::Kind::word: return {Kind::word, word.text, {}, word.at};
    case Word::Kind::number: return number(word);
    case Word::Kind::text: return {Kind::text, word.text, {}, word.at};
    case Word::Kind::symbol: break;
    }
    if (word.text == "[")
      return list(word.at);
    if (word.text != "(")
      throw Difference(word.at, "a term is expected");
    return in_parentheses(word.at);
  }

  Term number(const Word &digits) {
    if (!sees({"%"}))
      return {Kind::number, digits.text, {}, digits.at};
    take();
    expect("nat");
    return {Kind::natural, digits.text, {}, digits.at};
  }

  Term list(std::uint32_t at) {
    Term result{Kind::list, {}, {}, at};
    while (!sees({"]"})) {
      if (!result.args.empty())
        expect(";");
      result.args.push_back(connected());
    }
    expect("]");
    return result;
  }

  Term in_parentheses(std::uint32_t at) {
    if (sees({"-"})) {
      take();
      const Word digits = take();
      if (digits.kind != Word::Kind::number)
        throw Difference(digits.at, "a number is expected");
      expect(")");
      return {Kind::number, "-" + digits.text, {}, at};
    }
    Term result = connected();
    if (sees({","})) {
      take();
      Term second = connected();
      result = {Kind::pair, {}, {std::move(result), std::move(second)}, at};
    }
    expect(")");
    return result;
  }

  bool sees(std::initializer_list<std::string_view> texts) const {
    return next_ < sentence_.size() && sentence_[next_].kind != Word::Kind::text &&
           is_one_of(sentence_[next_].text, texts);
  }

  Word take() {
    if (next_ >= sentence_.size())
      fail("the term ends too early");
    return sentence_[next_++];
  }

  void expect(std::string_view text) {
    if (!sees({text}))
      fail("'" + std::string(text) + "' is expected");
    ++next_;
  }

  [[noreturn]] void fail(const std::string &what) const {
    const std::size_t last = sentence_.empty() ? 0 : std::min(next_, sentence_.size() - 1);
    throw Difference(sentence_.empty() ? 0 : sentence_[last].at, what);
  }

  const Sentence &sentence_;
  std::size_t next_;
};

} // namespace

Term term_of(const Sentence &sentence, std::size_t first) {
  return TermReader(sentence, first).whole();
}

bool applies(const Term &term, std::string_view head, std::size_t arguments) {
  return term.kind == Kind::application && term.args.size() == arguments + 1 && is_word(term.args[0], head);
}

bool is_word(const Term &term, std::string_view text) {
  return term.kind == Kind::word && term.text == text;
}

void need(const Term &term, std::string_view head, std::size_t arguments) {
  if (!applies(term, head, arguments))
    throw Difference(term.at, std::string(head) + " is expected");
}

} // namespace atl::proofs::reader::coq
