#include "lowering/copies/unroll.h"

#include "atl/index/facts.h"
#include "atl/syntax/names.h"
#include "atl/syntax/tree.h"
#include "lowering/nest/walk.h"
#include "lowering/normal/simplify_scalar.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

namespace atl::lowering {

namespace {

constexpr std::int64_t largest_number_of_stores = 2048; // in all copies together
constexpr std::int64_t largest_number_of_copies = 4 * largest_number_of_stores;

bool any_unrolled(const Block &body) {
  return any_of<For>(body, [](const For &loop) { return loop.mode == LoopMode::unrolled; });
}

// Those in unrolled loops are counted when these are copied.
std::int64_t count_stores(const Block &body) {
  std::int64_t count = 0;
  for (const Stmt &stmt : body) {
    const For *loop = std::get_if<For>(&stmt.node);
    if (std::holds_alternative<Store>(stmt.node))
      ++count;
    else if (!loop || loop->mode != LoopMode::unrolled)
      count += count_stores(*body_of(stmt));
  }
  return count;
}

// A copy: what its variables and temporaries have become.
struct Copy {
  Subst iteration;
  std::map<std::string, std::string> temporaries;
  std::set<std::string> *kept; // the names that copies of the loop before this one have, or it has
};

class Unroller {
public:
  explicit Unroller(const LoopKernel &kernel) {
    for (const Param &param : kernel.params)
      names_.insert(param.name);
    for (const Buffer &output : kernel.outputs)
      names_.insert(output.name);
    for_each<Alloc>(kernel.body, [&](const Alloc &alloc) { names_.insert(alloc.buffer.name); });
    for_each<For>(kernel.body, [&](const For &loop) { names_.insert(loop.var); });
  }

  Diagnostics errors;

  // The statements with their unrolled loops expanded; others stay as they are.
  Block expand(const Block &body, const Facts &facts) {
    Block out;
    for (const Stmt &stmt : body)
      match(
          stmt,
          [&](const For &loop) {
            if (loop.mode == LoopMode::unrolled)
              return copies(loop, facts, out);
            For inner = loop;
            inner.body = expand(loop.body, inside(loop, facts));
            out.push_back({std::move(inner)});
          },
          [&](const If &branch) {
            out.push_back({If{branch.pred, expand(branch.body, where(branch.pred, facts))}});
          },
          [&](const Alloc &alloc) {
            Alloc inner = alloc;
            inner.body = expand(alloc.body, facts);
            out.push_back({std::move(inner)});
          },
          [&](const Store &store) { out.push_back({store}); });
    return out;
  }

private:
  static Facts where(const Pred &pred, Facts facts) {
    facts.assume(pred);
    return facts;
  }
  static Facts inside(const For &loop, const Facts &facts) {
    return where(in_range(loop.lo, variable(loop.var), loop.hi), facts);
  }

  void copies(const For &loop, const Facts &facts, Block &out) {
    auto iterations = as_constant(facts.simplify(sub(loop.hi, loop.lo)));
    if (!iterations)
      return fail(loop,
                  fmt::format("cannot unroll: the number of iterations of {} is not constant", loop.var));
    std::int64_t stores = count_stores(loop.body);
    std::set<std::string> kept; // names in the loop, which will be gone
    for (std::int64_t i = 0; i < *iterations && errors.empty(); ++i) {
      copies_ += 1;
      stores_ += stores;
      if (copies_ > largest_number_of_copies || stores_ > largest_number_of_stores)
        return fail(loop, fmt::format("cannot unroll: the copies have more than {} stores",
                                      largest_number_of_stores));
      Copy copy{{{loop.var, facts.simplify(add(loop.lo, constant(i)))}}, {}, &kept};
      Block body = expand(instance(loop.body, copy, facts), facts);
      out.insert(out.end(), std::make_move_iterator(body.begin()), std::make_move_iterator(body.end()));
    }
  }

  void fail(const For &loop, std::string message) {
    errors.push_back({Code::cannot_unroll, loop.span, std::move(message), {}});
  }

  Block instance(const Block &body, const Copy &copy, const Facts &facts) {
    Block out;
    for (const Stmt &stmt : body)
      match(
          stmt,
          [&](const For &loop) {
            For inner = instance(loop, copy, facts);
            if (!inner.body.empty())
              out.push_back({std::move(inner)});
          },
          [&](const If &branch) {
            Pred pred = facts.simplify(substitute(branch.pred, copy.iteration));
            Block inner = pred->op == PredOp::truth && !pred->value
                              ? Block{}
                              : instance(branch.body, copy, where(pred, facts));
            if (pred->op != PredOp::truth && !inner.empty())
              out.push_back({If{pred, std::move(inner)}});
            else if (pred->op == PredOp::truth)
              out.insert(out.end(), inner.begin(), inner.end());
          },
          [&](const Alloc &alloc) { out.push_back({instance(alloc, copy, facts)}); },
          [&](const Store &store) { out.push_back({instance(store, copy, facts)}); });
    return out;
  }

  For instance(const For &loop, const Copy &copy, const Facts &facts) {
    For result = loop;
    result.lo = put_in(loop.lo, copy, facts);
    result.hi = put_in(loop.hi, copy, facts);
    result.body = instance(loop.body, copy, inside(result, facts));
    return result;
  }

  // Every copy has temporaries of its own: a buffer is known by its name.
  Alloc instance(const Alloc &alloc, const Copy &copy, const Facts &facts) {
    Copy inner = copy;
    Alloc result = alloc;
    if (result.buffer.copy_of.empty())
      result.buffer.copy_of = alloc.buffer.name;
    result.buffer.name = inner.temporaries[alloc.buffer.name] = fresh(alloc.buffer.name, copy);
    for (Index &extent : result.buffer.dims)
      extent = put_in(extent, copy, facts);
    result.body = instance(alloc.body, inner, facts);
    return result;
  }

  Store instance(const Store &store, const Copy &copy, const Facts &facts) {
    Store result = store;
    result.buffer = renamed(store.buffer, copy);
    for (Index &index : result.indices)
      index = put_in(index, copy, facts);
    result.value = simplify_scalar(put_in(store.value, copy), facts);
    return result;
  }

  static Index put_in(const Index &e, const Copy &copy, const Facts &facts) {
    return facts.simplify(substitute(e, copy.iteration));
  }

  static ExprPtr put_in(const ExprPtr &e, const Copy &copy) {
    return substitute(rename_accesses(e, copy.temporaries), copy.iteration);
  }

  static const std::string &renamed(const std::string &buffer, const Copy &copy) {
    auto found = copy.temporaries.find(buffer);
    return found == copy.temporaries.end() ? buffer : found->second;
  }

  std::string fresh(const std::string &name, const Copy &copy) {
    if (copy.kept->insert(name).second)
      return name;
    return take_name(name, names_);
  }

  std::set<std::string> names_;
  std::int64_t copies_ = 0, stores_ = 0;
};

} // namespace

Result<LoopKernel> unroll(LoopKernel kernel) {
  if (!any_unrolled(kernel.body))
    return kernel;
  Facts facts;
  for (const Pred &assumption : kernel.assumptions)
    facts.assume(assumption);
  Unroller unroller(kernel);
  kernel.body = unroller.expand(kernel.body, facts);
  if (!unroller.errors.empty())
    return unroller.errors;
  return kernel;
}

} // namespace atl::lowering
