#include "atl/equality/overlaps.h"

#include "atl/equality/compare.h"
#include "atl/equality/walk.h"
#include "atl/syntax/ops/reshape_op.h"
#include "atl/syntax/path.h"

#include <fmt/format.h>

namespace atl::equality {

namespace {

const Prophecies no_prophecies;
const Reindexing no_reindexing;

class Overlaps {
public:
  explicit Overlaps(const TypedKernel &kernel) : kernel_(kernel), denoter_(no_prophecies, taken_names()) {}

  std::vector<Obligation> run() {
    Walk walk{known_in(kernel_), std::make_shared<const Scope>()};
    for (const Binding &let : kernel_.lets)
      walk = after_let(let.name, let.value, walk);
    for (const ExprPtr &result : kernel_.results)
      visit(result, walk);
    return std::move(obligations_);
  }

private:
  std::set<std::string> taken_names() const {
    std::set<std::string> names = names_of_loops(kernel_);
    for (const std::string &size : kernel_.size_names())
      names.insert(size);
    return names;
  }

  void visit(const ExprPtr &e, const Walk &walk) {
    if (const Let *let = std::get_if<Let>(&e->node))
      return visit(let->body, after_let(let->names.at(0), let->bound, walk));
    const Reshape *reshape = std::get_if<Reshape>(&e->node);
    if (reshape && is_overlapping(*reshape->op))
      same_where_they_meet(*reshape, e->span, walk);
    const std::vector<ExprPtr> kids = children(*e);
    for (std::size_t i = 0; i < kids.size(); ++i)
      visit(kids[i], walk.below(*e, i));
  }

  // What a temporary holds does not matter: two cells that read it at the same index are the same.
  Walk after_let(const std::string &name, const ExprPtr &value, const Walk &walk) {
    visit(value, walk);
    Walk after = walk;
    Scope scope = *walk.scope;
    scope.lets[name] = {Bound::Kind::opaque, value, nullptr, nullptr, {}};
    after.scope = std::make_shared<const Scope>(std::move(scope));
    return after;
  }

  // Each cell of the operand is the one that is read instead of it.
  void same_where_they_meet(const Reshape &r, Span span, const Walk &walk) {
    const Shape &shape = r.child->type->shape;
    Known known = walk.known;
    std::vector<Index> cell;
    for (const Index &extent : shape) {
      const std::string name = denoter_.fresh(fmt::format("cell{}", cell.size()));
      known.enter({name, constant(0), extent});
      cell.push_back(variable(name));
    }
    Pullback read = r.op->pull(r.args, shape, r.op->push(r.args, shape, cell));
    Comparison comparison({ObligationKind::once, Code::overlap_differs, span},
                          [](const Read &) { return std::nullopt; }, no_reindexing,
                          {"the row before", "the row over it"});
    const PointPtr before = denoter_.cell(r.child, read.indices, walk.scope);
    const PointPtr over = denoter_.cell(r.child, cell, walk.scope);
    comparison.state("rows that lie over each other are the same", known, before, over);
    for (std::vector<Obligation> *claimed : {&comparison.obligations, &comparison.order})
      obligations_.insert(obligations_.end(), claimed->begin(), claimed->end());
  }

  const TypedKernel &kernel_;
  Denoter denoter_;
  std::vector<Obligation> obligations_;
};

} // namespace

std::vector<Obligation> overlap_obligations(const TypedKernel &kernel) {
  return Overlaps(kernel).run();
}

} // namespace atl::equality
