#include "lowering/verify/rows.h"

#include "lowering/nest/row_range.h"
#include "lowering/nest/walk.h"

#include <algorithm>
#include <fmt/format.h>

namespace atl::lowering {

namespace {

// The statements around a place, outermost first, and the place itself.
using Path = std::vector<const void *>;

// A temporary, and the innermost statement that contains it and all that touches it: blocks that are filled
// ahead are touched outside of their allocation.
struct Life {
  const Alloc *alloc;
  Path span;
};

class Lives {
public:
  void visit(const Block &block, const Path &path) {
    for (const Stmt &stmt : block)
      match(
          stmt, [&](const For &loop) { visit_loop(loop, below(path, &loop)); },
          [&](const If &branch) { visit(branch.body, below(path, &branch)); },
          [&](const Alloc &alloc) {
            const Path inside = below(path, &alloc);
            if (alloc.rows)
              touch(alloc.buffer.name, inside);
            if (alloc.rows)
              allocated_[alloc.buffer.name] = &alloc;
            visit(alloc.body, inside);
          },
          [](const Store &) {});
  }

  std::vector<Life> all() const {
    std::vector<Life> lives;
    for (const auto &[name, alloc] : allocated_)
      lives.push_back({alloc, spans_.at(name)});
    return lives;
  }

private:
  static Path below(Path path, const void *place) {
    path.push_back(place);
    return path;
  }

  void visit_loop(const For &loop, const Path &path) {
    if (loop.block) {
      visit(loop.block->before, path);
      if (loop.block->call)
        for (const auto &[name, operand] : loop.block->call->operands)
          if (const RowBlock *block = std::get_if<RowBlock>(&operand))
            touch(block->buffer, path);
      visit(loop.block->inside, path);
      visit(loop.block->at_end, path);
    }
    if (!loop.block || !loop.block->replaces)
      visit(loop.body, path);
  }

  void touch(const std::string &buffer, const Path &path) {
    auto [known, is_new] = spans_.emplace(buffer, path);
    if (is_new)
      return;
    Path &span = known->second;
    auto apart = std::mismatch(span.begin(), span.end(), path.begin(), path.end());
    span.erase(apart.first, span.end());
  }

  std::map<std::string, Path> spans_;
  std::map<std::string, const Alloc *> allocated_;
};

bool is_inside(const Path &inner, const Path &outer) {
  return outer.size() <= inner.size() && std::equal(outer.begin(), outer.end(), inner.begin());
}

bool are_alive_together(const Life &a, const Life &b) {
  return is_inside(a.span, b.span) || is_inside(b.span, a.span);
}

Index end_of(const RowRange &rows) {
  return constant(rows.first + rows.count);
}

Pred are_apart(const RowRange &a, const RowRange &b) {
  std::vector<Pred> apart;
  for (const RowRange &mine : in_each_bank(a))
    for (const RowRange &other : in_each_bank(b))
      apart.push_back(disj(compare(PredOp::le, end_of(mine), constant(other.first)),
                           compare(PredOp::le, end_of(other), constant(mine.first))));
  return conj(apart);
}

} // namespace

std::vector<Obligation> rows_apart(const LoopKernel &kernel, const Known &top) {
  Lives lives;
  lives.visit(kernel.body, {});
  const std::vector<Life> all = lives.all();
  std::vector<Obligation> obligations;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Buffer &buffer = all[i].alloc->buffer;
    const RowRange &rows = *all[i].alloc->rows;
    const Memory &memory = *kernel.hardware->find_memory(buffer.memory);
    const Index first = constant(memory.rows->first);
    std::vector<Claim> claims;
    for (const RowRange &part : in_each_bank(rows))
      claims.push_back({conj(compare(PredOp::ge, constant(part.first), first),
                             compare(PredOp::le, end_of(part), add(first, constant(memory.registers)))),
                        {fmt::format("{} has {} rows from {} on, which {} has not", buffer.name, part.count,
                                     part.first, memory.name)}});
    for (std::size_t j = 0; j < i; ++j) {
      const Alloc &other = *all[j].alloc;
      if (other.buffer.memory == buffer.memory && are_alive_together(all[i], all[j]))
        claims.push_back({are_apart(rows, *other.rows),
                          {fmt::format("some of its rows are those of {}", other.buffer.name)}});
    }
    obligations.push_back(top.obligation(
        ObligationKind::bounds, Code::out_of_bounds, kernel.span,
        fmt::format("{} has rows of its own in {}", buffer.name, memory.name), std::move(claims)));
  }
  return obligations;
}

} // namespace atl::lowering
