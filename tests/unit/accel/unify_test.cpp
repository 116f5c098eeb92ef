// The unifier asks what an operand, a scalar and another form is, and undoes what a way that fails has found.
#include "accel/match/unify.h"
#include "tests/unit/typed_trees.h"

#include <doctest/doctest.h>

#include <map>

namespace atl::accel::unify_test {

namespace {

using namespace trees;
using Bound = std::map<std::string, ExprPtr>;

// x and y have elements, s is a scalar; all are f32.
Instruction instruction() {
  auto operand = [](const std::string &name, Shape shape) {
    return Param{Param::Kind::tensor, name, {}, Type{Elem::f32, std::move(shape)}};
  };
  return {Kernel{"it", {}, {operand("x", {n(4)}), operand("y", {n(4)}), operand("s", {})}, {}, {}, nullptr},
          {"v", "v", ""},
          "v",
          ""};
}

class Answers : public Questions<Bound> {
public:
  bool in_any_order = false;
  std::vector<std::pair<ExprPtr, ExprPtr>> different;

  bool is_element(const Param &operand, const Access &, const ExprPtr &e, Bound &found) override {
    return std::holds_alternative<Access>(e->node) && bind(operand.name, e, found);
  }
  bool is_scalar(const Param &operand, const ExprPtr &e, Bound &found) override {
    return !std::holds_alternative<Access>(e->node) && bind(operand.name, e, found);
  }
  std::vector<ExprPtr> forms_of(const ExprPtr &, const ExprPtr &e) override {
    const std::vector<ExprPtr> kids = children(*e);
    if (!in_any_order || kids.size() != 2)
      return {e};
    return {e, rebuild(*e, {kids[1], kids[0]})};
  }
  bool differ(const ExprPtr &p, const ExprPtr &e, const Bound &) override {
    different.emplace_back(p, e);
    return false;
  }

private:
  static bool bind(const std::string &name, const ExprPtr &e, Bound &found) {
    auto [known, is_new] = found.emplace(name, e);
    return is_new || equal(known->second, e);
  }
};

struct Outcome {
  bool fits;
  Bound found;
  std::vector<std::pair<ExprPtr, ExprPtr>> different;
};

Outcome unified(const ExprPtr &p, const ExprPtr &e, bool in_any_order = false) {
  Answers answers;
  answers.in_any_order = in_any_order;
  Outcome outcome{};
  outcome.fits = unify(instruction(), p, e, outcome.found, answers);
  outcome.different = answers.different;
  return outcome;
}

struct Forms {
  const ExprPtr x = at("x", {v("i")}), y = at("y", {v("i")}), s = at("s", {});
  const ExprPtr a = at("A", {v("k")}), b = at("B", {v("k")}), two = real(2);
};

} // namespace

TEST_CASE_FIXTURE(Forms, "unify: operands are what the mapper takes for elements and scalars") {
  const Outcome outcome = unified(op("+", {x, op("*", {s, y})}), op("+", {a, op("*", {two, b})}));
  REQUIRE(outcome.fits);
  CHECK(outcome.found.size() == 3);
  CHECK(equal(outcome.found.at("x"), a));
  CHECK(equal(outcome.found.at("y"), b));
  CHECK(equal(outcome.found.at("s"), two));
  CHECK_FALSE(unified(op("+", {x, s}), op("+", {a, b})).fits);
  CHECK(unified(op("*", {x, x}), op("*", {a, a})).fits);
  CHECK_FALSE(unified(op("*", {x, x}), op("*", {a, b})).fits);
}

TEST_CASE_FIXTURE(Forms, "unify: another operation, and another type, are told where they are") {
  const Outcome operation = unified(op("+", {x, op("*", {x, y})}), op("+", {a, op("-", {a, b})}));
  CHECK_FALSE(operation.fits);
  REQUIRE_FALSE(operation.different.empty());
  CHECK(equal(operation.different[0].second, op("-", {a, b})));
  const ExprPtr whole_number = at("W", {v("k")}, Elem::i32);
  const Outcome type = unified(x, whole_number);
  CHECK_FALSE(type.fits);
  REQUIRE(type.different.size() == 1);
  CHECK(equal(type.different[0].second, whole_number));
  CHECK_FALSE(unified(to(Elem::f64, x), to(Elem::f64, whole_number)).fits);
  CHECK_FALSE(unified(to(Elem::i32, x), to(Elem::i32, a, ConvertMode::saturate)).fits);
}

TEST_CASE_FIXTURE(Forms,
                  "unify: another form is tried where the first does not fit, with nothing found before") {
  const ExprPtr p = op("+", {op("*", {s, x}), y}), e = op("+", {b, op("*", {a, two})});
  CHECK_FALSE(unified(p, e).fits);
  const Outcome outcome = unified(p, e, true);
  REQUIRE(outcome.fits);
  CHECK(outcome.found.size() == 3);
  CHECK(equal(outcome.found.at("s"), two));
  CHECK(equal(outcome.found.at("x"), a));
  CHECK(equal(outcome.found.at("y"), b));
  CHECK(unified(op("*", {op("+", {x, s}), y}), op("*", {b, op("+", {two, a})}), true).fits);
}

TEST_CASE_FIXTURE(Forms, "unify: guards, sums and conditions fit only if the mapper says so") {
  const Pred first = compare(PredOp::lt, v("i"), n(2));
  CHECK_FALSE(unified(guard(first, x), guard(first, a)).fits);
  CHECK_FALSE(
      unified(reduce(Reduction::sum, "k", n(0), n(2), x), reduce(Reduction::sum, "k", n(0), n(2), a)).fits);
  CHECK_FALSE(unified(select(test(first), x, y), select(test(first), a, b)).fits);
}

} // namespace atl::accel::unify_test
