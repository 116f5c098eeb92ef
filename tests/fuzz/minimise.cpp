#include "fuzz/minimise.h"

#include "atl/parse/parse.h"
#include "atl/syntax/print.h"

#include <optional>

namespace atl::fuzz {

namespace {

constexpr int most_attempts = 3000;

std::optional<Program> parse(const std::string &text) {
  Sources sources;
  std::uint32_t file = sources.add({"fuzz.atl", text});
  auto program = parse_program(sources, file);
  return program ? std::optional(*program) : std::nullopt;
}

ExprPtr number(bool is_float, Elem elem) {
  return make(Literal{is_float, 1, 1.0, elem}, {});
}

// What an expression may become: one of its parts, or a number. Most are ill-typed, and then do not fail in
// the same way.
std::vector<ExprPtr> simpler(const ExprPtr &e) {
  std::vector<ExprPtr> found = children(*e);
  if (const Guard *guard = std::get_if<Guard>(&e->node); guard && guard->pred->a) {
    found.push_back(make(Guard{guard->pred->a, guard->body}, e->span));
    if (guard->pred->b)
      found.push_back(make(Guard{guard->pred->b, guard->body}, e->span));
  }
  if (!std::holds_alternative<Literal>(e->node) && !std::holds_alternative<Tuple>(e->node) &&
      (is_scalar_form(*e) || std::holds_alternative<Reduce>(e->node) ||
       std::holds_alternative<Call>(e->node)))
    for (Elem elem :
         {Elem::f32, Elem::f64, Elem::i8, Elem::u8, Elem::i16, Elem::u16, Elem::i32, Elem::u32, Elem::i64})
      found.push_back(number(is_float(elem), elem));
  return found;
}

// All trees made from e by simplifying at one place, the outermost places first.
void variants(const ExprPtr &e, const std::function<bool(const ExprPtr &)> &use, bool &stop) {
  for (const ExprPtr &other : simpler(e))
    if (!stop && use(other))
      stop = true;
  std::vector<ExprPtr> kids = children(*e);
  for (std::size_t i = 0; i < kids.size() && !stop; ++i)
    variants(
        kids[i],
        [&](const ExprPtr &changed) {
          std::vector<ExprPtr> with = kids;
          with[i] = changed;
          return use(rebuild(*e, with));
        },
        stop);
}

class Minimiser {
public:
  Minimiser(Program program, std::string text, const std::function<bool(const std::string &)> &fails)
      : program_(std::move(program)), text_(std::move(text)), fails_(fails) {}

  std::string run() {
    while (attempts_ < most_attempts && one_step()) {
    }
    return text_;
  }

private:
  bool still_fails(const Program &changed) {
    std::string text = print(changed);
    if (text.size() >= text_.size() || ++attempts_ > most_attempts || !fails_(text))
      return false;
    program_ = changed;
    text_ = text;
    return true;
  }

  template <class Definition>
  bool drop_one(std::vector<Definition> Program::*list) {
    for (std::size_t i = 0; i < (program_.*list).size(); ++i) {
      Program fewer = program_;
      (fewer.*list).erase((fewer.*list).begin() + static_cast<std::ptrdiff_t>(i));
      if (still_fails(fewer))
        return true;
    }
    return false;
  }

  template <class Definition>
  bool simplify_one(std::vector<Definition> Program::*list) {
    for (std::size_t i = (program_.*list).size(); i-- > 0;) {
      bool stop = false;
      const ExprPtr body = (program_.*list)[i].body;
      variants(
          body,
          [&](const ExprPtr &changed) {
            Program smaller = program_;
            (smaller.*list)[i].body = changed;
            return still_fails(smaller);
          },
          stop);
      if (stop)
        return true;
    }
    return false;
  }

  bool one_step() {
    return drop_one(&Program::kernels) || drop_one(&Program::functions) || drop_one(&Program::constants) ||
           simplify_one(&Program::kernels) || simplify_one(&Program::functions);
  }

  Program program_;
  std::string text_;
  const std::function<bool(const std::string &)> &fails_;
  int attempts_ = 0;
};

} // namespace

std::string minimise(const std::string &text, const std::function<bool(const std::string &)> &fails) {
  auto program = parse(text);
  return program ? Minimiser(*program, print(*program), fails).run() : text;
}

} // namespace atl::fuzz
