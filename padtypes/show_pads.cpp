// Pad types as text: one line per sub-expression, `head : type`; notation in docs/padtypes.md.
#include "padtypes/padtypes.h"

#include "atl/base/check.h"
#include "atl/syntax/ops/reshape_op.h"
#include "atl/syntax/path.h"
#include "atl/syntax/print.h"
#include "padtypes/infer_pad.h"

#include <fmt/format.h>

namespace atl::padtypes {

namespace {

std::string as_part(const PadTypePtr &type) {
  std::string text = to_string(type);
  bool conditional = type->data->op != PredOp::truth;
  return conditional ? "(" + text + ")" : text;
}

// 2 pad, 6 of T, ..., 1 of U, 3 pad; dots where the parts are not seen to meet.
std::string parts_of(const PadType &t) {
  std::vector<std::string> parts;
  auto part = [&](const Index &count, const std::string &what) {
    if (!is_constant(count, 0))
      parts.push_back(to_string(count) + what);
  };
  part(t.k, " pad");
  part(t.l, " of " + as_part(t.first));
  Index described = add(add(t.k, t.l), add(t.r, t.c));
  if (!is_constant(Facts().simplify(sub(described, t.extent)), 0))
    parts.push_back("...");
  part(t.r, " of " + as_part(t.last));
  part(t.c, " pad");
  return fmt::format("[{}]", fmt::join(parts, ", "));
}

std::string range(const std::string &var, const Index &lo, const Index &hi) {
  std::string below = fmt::format("{} < {}", var, to_string(hi, precedence::comparison + 1));
  return is_constant(lo, 0) ? below : to_string(lo, precedence::comparison + 1) + " <= " + below;
}

std::string reshape_head(const Reshape &r) {
  std::string head(r.op->name);
  for (const Index &arg : r.args)
    head += " " + to_string(arg, precedence::atom);
  return head;
}

bool has_tensor_form(const Expr &e) {
  if (!is_scalar_form(e))
    return true;
  for (const ExprPtr &child : children(e))
    if (has_tensor_form(*child))
      return true;
  return false;
}

std::string shortened(std::string text) {
  constexpr std::size_t most = 60;
  text = text.substr(0, text.find('\n'));
  return text.size() <= most ? text : text.substr(0, most - 3) + "...";
}

// A scalar on one line; if tensor forms are inside, its operation alone.
std::string scalar_head(const ExprPtr &e) {
  if (!has_tensor_form(*e))
    return shortened(print(e));
  if (const Op *op = std::get_if<Op>(&e->node))
    return std::string(op->op->name);
  if (const Convert *convert = std::get_if<Convert>(&e->node))
    return std::string(name(convert->to));
  return "select";
}

std::string head(const ExprPtr &e) {
  return match(
      e, [](const Gen &g) { return "gen " + range(g.var, g.lo, g.hi); },
      [](const Reduce &r) { return fmt::format("{} {}", name(r.reduction), range(r.var, r.lo, r.hi)); },
      [](const Guard &g) { return fmt::format("[{}]", to_string(g.pred)); },
      [](const Let &l) { return "let " + l.names.front(); },
      [](const Concat &) { return std::string("concat"); }, [](const Reshape &r) { return reshape_head(r); },
      [&](const auto &) { return scalar_head(e); });
}

class Lines {
public:
  explicit Lines(const TypedKernel &kernel) { place_.known = known_in(kernel); }

  void tensor(const std::string &title, const ExprPtr &e, int depth) {
    Place outer = place_;
    place_.filling = filling_reduction(e);
    line(title, e, depth);
    expression(e, depth + 1);
    place_ = std::move(outer);
  }

  std::string text;

private:
  void expression(const ExprPtr &e, int depth) {
    if (const Let *let = std::get_if<Let>(&e->node)) {
      tensor("let " + let->names.front(), let->bound, depth);
      return expression(let->body, depth);
    }
    if (const Reduce *r = std::get_if<Reduce>(&e->node);
        r && place_.filling && r->reduction != *place_.filling)
      return separate(e, depth);
    line(head(e), e, depth);
    if (is_scalar_form(*e) && !has_tensor_form(*e))
      return;
    Place outer = place_;
    enter(*e);
    for (const ExprPtr &child : children(*e))
      if (is_scalar_form(*e) && !is_scalar_form(*child))
        separate(child, depth + 1);
      else
        expression(child, depth + 1);
    place_ = std::move(outer);
  }

  // A tensor form with an accumulator of its own.
  void separate(const ExprPtr &e, int depth) {
    Place outer = place_;
    place_.filling = filling_reduction(e);
    expression(e, depth);
    place_ = std::move(outer);
  }

  void enter(const Expr &e) {
    match(
        e,
        [&](const Gen &g) {
          place_ = place_.inside({g.var, g.lo, g.hi});
        },
        [&](const Reduce &r) {
          place_ = place_.inside({r.var, r.lo, r.hi});
        },
        [&](const Guard &g) { place_ = place_.with(g.pred); }, [](const auto &) {});
  }

  void line(const std::string &title, const ExprPtr &e, int depth) {
    text += fmt::format("{:{}}{} : {}\n", "", 2 * depth, title, to_string(infer_pad(e, place_)));
  }

  Place place_;
};

} // namespace

std::string to_string(const PadTypePtr &type) {
  bool never = type->data->op == PredOp::truth && !type->data->value;
  if (never)
    return type->is_scalar() ? "pad" : fmt::format("[{} pad]", to_string(type->extent));
  std::string text = type->is_scalar() ? "data" : parts_of(*type);
  bool always = type->data->op == PredOp::truth;
  return always ? text : fmt::format("{} if {}", text, to_string(type->data));
}

std::string show_pads(const TypedKernel &kernel) {
  Lines lines(kernel);
  lines.text = fmt::format("kernel {}\n", kernel.name);
  for (const Binding &let : kernel.lets)
    lines.tensor("let " + let.name, let.value, 1);
  for (std::size_t i = 0; i < kernel.results.size(); ++i)
    lines.tensor("result " + kernel.outputs[i].name, kernel.results[i], 1);
  return std::move(lines.text);
}

} // namespace atl::padtypes
