// Tensor forms and blocks.
#include "atl/base/check.h"
#include "atl/parse/elaborate.h"
#include "atl/syntax/ops/reshape_op.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace atl::parse {

// i < hi, or lo <= i < hi. The name becomes visible to what follows.
Elaborator::Binder Elaborator::binder(const Node &node) {
  const std::vector<Node> &parts = node.children;
  bool is_comparison = node.kind == Kind::comparison;
  bool upper_only = is_comparison && parts.size() == 3 && text(parts[1]) == "<";
  bool both = is_comparison && parts.size() == 5 && text(parts[1]) == "<=" && text(parts[3]) == "<";
  if (!(upper_only || both) || parts[both ? 2 : 0].kind != Kind::word)
    return no_binder(node);
  const Node &name = parts[both ? 2 : 0];
  Index lo = both ? index(parts[0]) : atl::constant(0);
  Index hi = index(parts.back());
  names_.declare(name, Meaning::Kind::index);
  return {std::string(text(name)), lo, hi, node.span, LoopMode::sequential};
}

// Takes the first unknown name for the loop variable, so that its uses are not in error as well.
Elaborator::Binder Elaborator::no_binder(const Node &node) {
  error(Code::syntax_error, node.span, "a loop range is written i < hi or lo <= i < hi");
  auto is_unknown = [&](const Node &part) { return part.kind == Kind::word && !names_.find(part); };
  auto name = std::find_if(node.children.begin(), node.children.end(), is_unknown);
  if (name != node.children.end())
    names_.declare(*name, Meaning::Kind::index);
  else
    names_.expect_unknown();
  return {"", atl::constant(0), atl::constant(0), node.span, LoopMode::sequential};
}

std::vector<Elaborator::Binder> Elaborator::binders(const Node &node) {
  std::vector<Binder> all;
  for (const Node &child : node.children)
    all.push_back(binder(child));
  return all;
}

LoopMode Elaborator::mode(const Node &node) const {
  if (node.children.empty())
    return LoopMode::sequential;
  std::optional<LoopMode> mode = loop_mode_named(text(node.children[0]));
  ATL_CHECK(mode.has_value(), "a loop mode of the grammar that does not exist");
  return *mode;
}

ExprPtr Elaborator::gen(const Node &node) {
  Names::Mark mark(names_);
  std::vector<Binder> loops = binders(node.children[1]);
  loops[0].mode = mode(node.children[0]);
  ExprPtr result = block(node.children[2], false);
  for (auto loop = loops.rbegin(); loop != loops.rend(); ++loop) {
    Span span{node.span.file, loop + 1 == loops.rend() ? node.span.begin : loop->span.begin, node.span.end};
    result = make(Gen{loop->name, loop->lo, loop->hi, result, loop->mode}, span);
  }
  return result;
}

ExprPtr Elaborator::reduce(const Node &node) {
  constexpr std::array all{Reduction::sum, Reduction::prod, Reduction::max, Reduction::min};
  auto reduction =
      std::find_if(all.begin(), all.end(), [&](Reduction r) { return name(r) == text(node.children[0]); });
  ATL_CHECK(reduction != all.end(), "a reduction of the grammar that does not exist");
  Names::Mark mark(names_);
  std::vector<Binder> loops = binders(node.children[2]);
  loops[0].mode = mode(node.children[1]);
  ExprPtr result = block(node.children[3], false);
  for (auto loop = loops.rbegin(); loop != loops.rend(); ++loop) {
    Span span{node.span.file, loop + 1 == loops.rend() ? node.span.begin : loop->span.begin, node.span.end};
    result = make(Reduce{*reduction, loop->name, loop->lo, loop->hi, result, loop->mode}, span);
  }
  return result;
}

ExprPtr Elaborator::concat(const Node &node) {
  std::vector<ExprPtr> parts;
  for (const Node &child : node.children)
    parts.push_back(data(child));
  ExprPtr result = parts.back();
  for (std::size_t i = parts.size() - 1; i-- > 0;) {
    Span span{node.span.file, i == 0 ? node.span.begin : node.children[i].span.begin, node.span.end};
    result = make(Concat{parts[i], result}, span);
  }
  return result;
}

ExprPtr Elaborator::reshape(const Node &node) {
  const ReshapeOp *op = find_reshape_op(text(node.children[0]));
  ATL_CHECK(op != nullptr, "a reshape of the grammar that does not exist");
  std::size_t operand = node.children.size() - 1;
  std::vector<Index> args = indices(node, 1, operand);
  return make(Reshape{op, std::move(args), data(node.children[operand])}, node.span);
}

ExprPtr Elaborator::guard(const Node &node) {
  Pred pred = condition(node.children[0], Want::guard);
  return make(Guard{pred, data(node.children[1])}, node.span);
}

ExprPtr Elaborator::tuple(const Node &node) {
  Tuple result;
  for (const Node &element : node.children)
    result.elements.push_back(data(element));
  return make(std::move(result), node.span);
}

// Of a call that gives several results, which take their own names, so that uses of them are not in error.
void Elaborator::report_one_of_several(const Node &word, const Node &bound) {
  if (word.kind != Kind::word || bound.kind != Kind::call)
    return;
  const std::optional<Meaning> callee = names_.find(bound.children[0]);
  if (!callee || callee->kind != Meaning::Kind::kernel || callee->node().children.size() < 3)
    return;
  const std::vector<Node> &outputs = callee->node().children[2].children;
  if (outputs.size() < 2)
    return;
  std::string all;
  for (const Node &output : outputs)
    all += (all.empty() ? "" : ", ") + std::string(text(output.children[0]));
  Diagnostic problem{
      Code::wrong_output_count,
      bound.span,
      fmt::format("{} gives {} results ({})", text(bound.children[0]), outputs.size(), all),
      {{word.span, "one name is bound to them"}},
      {{fmt::format("bind all of them: let ({}) = ...", all), {{word.span, "(" + all + ")"}}}}};
  reporter_.add(std::move(problem));
  for (const Node &output : outputs)
    if (!names_.find(output.children[0]))
      names_.declare(output.children[0], Meaning::Kind::data);
}

// Without its body. The names become visible to what follows.
Let Elaborator::let(const Node &node) {
  const Node &bound_names = node.children[0], &bound = node.children.back();
  Let result{{}, data(bound), nullptr};
  report_one_of_several(bound_names, bound);
  if (node.children.size() > 2)
    result.memory = text(node.children[1].children[0]);
  if (bound_names.kind == Kind::names && bound_names.children.size() > 1 && bound.kind != Kind::call)
    error(Code::syntax_error, bound.span, "several names can only be bound to a call of a kernel");
  auto declare = [&](const Node &word) {
    names_.declare(word, Meaning::Kind::data);
    result.names.emplace_back(text(word));
  };
  if (bound_names.kind == Kind::names)
    std::for_each(bound_names.children.begin(), bound_names.children.end(), declare);
  else
    declare(bound_names);
  return result;
}

ExprPtr Elaborator::block(const Node &node, bool tuple_allowed) {
  Nesting nesting(*this, node.children.size() - 1);
  if (nesting.too_deep()) {
    too_deep(node.span);
    return placeholder(node.span);
  }
  Names::Mark mark(names_);
  std::vector<Let> lets;
  for (std::size_t i = 0; i + 1 < node.children.size(); ++i)
    lets.push_back(let(node.children[i]));
  const Node &last = node.children.back();
  bool is_tuple = tuple_allowed && last.kind == Kind::parens && last.children.size() > 1;
  ExprPtr result = is_tuple ? tuple(last) : data(last);
  for (std::size_t i = lets.size(); i-- > 0;) {
    lets[i].body = result;
    result = make(std::move(lets[i]), Span{node.span.file, node.children[i].span.begin, last.span.end});
  }
  return result;
}

} // namespace atl::parse
