#include "cbackend/emit_prefetch.h"

#include "cbackend/templates.h"

#include <algorithm>
#include <fmt/format.h>

namespace atl::cbackend {

using namespace lowering;

namespace {

void collect_addresses(const LaneCall &call, std::vector<FirstElement> &into) {
  for (const auto &[name, operand] : call.operands) {
    if (const FirstElement *element = std::get_if<FirstElement>(&operand); element && name != "out")
      into.push_back(*element);
    if (auto *inner = std::get_if<std::shared_ptr<const LaneCall>>(&operand))
      collect_addresses(**inner, into);
  }
}

std::vector<FirstElement> addresses_read(std::span<const Stmt> body) {
  std::vector<FirstElement> all;
  for (const Stmt &stmt : body)
    if (const For *loop = std::get_if<For>(&stmt.node); loop && loop->lanes)
      for (const LaneStatement &s : loop->lanes->statements)
        if (auto *call = std::get_if<std::shared_ptr<const LaneCall>>(&s.value))
          collect_addresses(**call, all);
  return all;
}

// As a number, because C has no pointers that far outside an array.
std::string address_of(const FirstElement &element, const Prefetched &wanted, const Scope &scope,
                       Prelude &prelude) {
  const Subst later{{wanted.loop, add(variable(wanted.loop), constant(wanted.ahead))}};
  std::vector<Index> indices;
  for (const Index &index : element.indices)
    indices.push_back(scope.facts.simplify(substitute(index, later)));
  const CBuffer &buffer = scope.buffers.at(element.buffer);
  return fmt::format("(const char *)((uintptr_t){0} + sizeof *{0} * (uintptr_t)({1}))", buffer.name,
                     c_offset(buffer.dims, indices, scope, prelude));
}

} // namespace

void emit_prefetches(std::span<const Stmt> body, const Scope &scope, const std::string &c, Prelude &prelude,
                     Writer &out) {
  std::vector<std::string> asked;
  for (const FirstElement &element : addresses_read(body))
    for (const Prefetched &wanted : scope.prefetched) {
      if (element.buffer != wanted.buffer)
        continue;
      std::string address = address_of(element, wanted, scope, prelude);
      if (std::find(asked.begin(), asked.end(), address) != asked.end())
        continue;
      out.line(fill_holes(c, [&](const std::string &) { return address; }) + ";");
      asked.push_back(std::move(address));
    }
}

} // namespace atl::cbackend
