#include "cbackend/function/emit_prefetch.h"

#include "cbackend/term/templates.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

namespace atl::cbackend {

using namespace lowering;

namespace {

constexpr std::int64_t line_bytes = 64; // of the caches of all CPUs that are described

bool is_mapped(const For &loop) {
  return loop.lanes || loop.total;
}

void collect_accesses(const ExprPtr &e, const Subst &lane_0, std::vector<Access> &into) {
  if (const Access *access = std::get_if<Access>(&e->node)) {
    into.push_back(*access);
    for (Index &index : into.back().indices)
      index = substitute(index, lane_0);
  }
  for (const ExprPtr &child : children(*e))
    collect_accesses(child, lane_0, into);
}

// What the mapped loops and the stores among these statements read, lane 0 of it. Of loops that are not
// mapped, and of branches that are C's, the statements have their turn when they are emitted.
void collect_reads(std::span<const Stmt> body, bool in_lanes, const Subst &lane_0,
                   std::vector<Access> &into) {
  for (const Stmt &stmt : body)
    match(
        stmt,
        [&](const For &loop) {
          Subst inner = lane_0;
          inner[loop.var] = loop.lo;
          if (in_lanes || is_mapped(loop))
            collect_reads(loop.body, true, inner, into);
        },
        [&](const If &branch) {
          if (in_lanes)
            collect_reads(branch.body, true, lane_0, into);
        },
        [&](const Alloc &alloc) {
          if (in_lanes)
            collect_reads(alloc.body, true, lane_0, into);
        },
        [&](const Store &store) { collect_accesses(store.value, lane_0, into); });
}

struct Asked {
  const Prefetched *wanted;
  std::vector<Index> indices;
};

// The line of what was asked for has these cells, too, or its next one has, which is asked for with them.
bool covers(const Asked &asked, const Asked &other, std::int64_t cell_bytes, const Facts &facts) {
  if (asked.wanted != other.wanted)
    return false;
  if (asked.indices.empty())
    return true;
  for (std::size_t i = 0; i + 1 < asked.indices.size(); ++i)
    if (to_string(asked.indices[i]) != to_string(other.indices[i]))
      return false;
  auto distance = as_constant(facts.simplify(sub(other.indices.back(), asked.indices.back())));
  return distance && *distance * cell_bytes > -line_bytes && *distance * cell_bytes < line_bytes;
}

Asked later(const Access &access, const Prefetched &wanted, const Scope &scope) {
  const Subst ahead{{wanted.loop, add(variable(wanted.loop), constant(wanted.ahead))}};
  Asked asked{&wanted, {}};
  for (const Index &index : access.indices)
    asked.indices.push_back(scope.known.facts().simplify(substitute(index, ahead)));
  return asked;
}

// Modulo 2^64: what is asked for ahead may be far outside its tensor.
std::string wrapping_offset(const Shape &dims, const std::vector<Index> &indices, const Scope &scope,
                            Prelude &prelude) {
  auto number = [&](const Index &e) {
    return fmt::format("(uintptr_t)({})", c_index(e, scope, prelude).text);
  };
  std::string offset = indices.empty() ? number(constant(0)) : number(indices[0]);
  for (std::size_t d = 1; d < indices.size(); ++d)
    offset = fmt::format("({}*{} + {})", offset, number(dims[d]), number(indices[d]));
  return offset;
}

std::optional<std::string> offset_of(const Shape &dims, const std::vector<Index> &indices, const Scope &scope,
                                     Prelude &prelude) {
  const Evaluation order = scope.evaluation();
  if (const Index offset = order.offset(dims, indices); order.fits(offset))
    return fmt::format("(uintptr_t)({})", c_evaluated(offset, scope, prelude).text);
  const auto fits = [&](const Index &e) { return order.fits(order.of(e)); };
  if (std::all_of(dims.begin(), dims.end(), fits) && std::all_of(indices.begin(), indices.end(), fits))
    return wrapping_offset(dims, indices, scope, prelude);
  return std::nullopt;
}

// As a number, because C has no pointers that far outside an array. Nothing if an index may need more than 64
// bits: nobody depends on what is fetched.
std::optional<std::string> address_of(const Asked &asked, const Scope &scope, Prelude &prelude) {
  const CBuffer &buffer = scope.buffers.at(asked.wanted->buffer);
  const auto offset = offset_of(buffer.dims, asked.indices, scope, prelude);
  if (!offset)
    return std::nullopt;
  return fmt::format("(const char *)((uintptr_t){0} + sizeof *{0} * {1})", buffer.name, *offset);
}

} // namespace

void emit_prefetches(std::span<const Stmt> body, const Scope &scope, const std::string &c, Prelude &prelude,
                     Writer &out) {
  std::vector<Access> reads;
  collect_reads(body, false, {}, reads);
  std::vector<Asked> all;
  for (const Access &access : reads)
    for (const Prefetched &wanted : scope.prefetched) {
      if (access.tensor != wanted.buffer)
        continue;
      const Asked asked = later(access, wanted, scope);
      const auto bytes = static_cast<std::int64_t>(byte_size(scope.buffers.at(wanted.buffer).elem));
      if (std::any_of(all.begin(), all.end(),
                      [&](const Asked &a) { return covers(a, asked, bytes, scope.known.facts()); }))
        continue;
      all.push_back(asked);
      if (const auto address = address_of(asked, scope, prelude))
        out.line(fill_holes(c, [&](const std::string &) { return *address; }) + ";");
    }
}

} // namespace atl::cbackend
