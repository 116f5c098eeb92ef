#include "lowering/nest/apart.h"

#include "atl/syntax/tree.h"
#include "lowering/nest/evaluation.h"
#include "lowering/nest/ranges.h"

namespace atl::lowering {

namespace {

using Loops = std::vector<LoopRange>;

class Walk {
public:
  explicit Walk(const LoopKernel &kernel) {
    std::vector<std::string> names;
    for (const Param &param : kernel.params)
      if (param.kind == Param::Kind::size)
        names.push_back(param.name);
    sizes_ = size_ranges(names, kernel.assumptions);
    for (const auto *buffers : {&kernel.inputs, &kernel.outputs})
      for (const Buffer &buffer : *buffers)
        enter(buffer);
  }

  std::vector<Index> found;

  void visit(const Block &block, const Loops &around) {
    for (const Stmt &stmt : block)
      match(
          stmt,
          [&](const For &loop) {
            Loops inside = around;
            inside.push_back(loop.range());
            visit(loop.body, inside);
          },
          [&](const If &branch) { visit(branch.body, around); },
          [&](const Alloc &alloc) {
            enter(alloc.buffer);
            visit(alloc.body, around);
          },
          [&](const Store &store) {
            const Evaluation order(sizes_, around);
            visit(store.buffer, store.indices, order);
            for_each_access(store.value, [&](const Access &a) { visit(a.tensor, a.indices, order); });
          });
  }

private:
  void enter(const Buffer &buffer) {
    bytes_[buffer.name] = static_cast<std::int64_t>(byte_size(buffer.elem));
  }

  void visit(const std::string &buffer, const std::vector<Index> &indices, const Evaluation &order) {
    for (std::size_t d = 1; d < indices.size(); ++d)
      if (!order.fits_term_by_term(indices[d], bytes_.at(buffer)) && !is_among(indices[d], found))
        found.push_back(indices[d]);
  }

  Intervals sizes_;
  std::map<std::string, std::int64_t> bytes_;
};

} // namespace

std::vector<Index> indices_apart(const LoopKernel &kernel) {
  Walk walk(kernel);
  walk.visit(kernel.body, {});
  return std::move(walk.found);
}

} // namespace atl::lowering
