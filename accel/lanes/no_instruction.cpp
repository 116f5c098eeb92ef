#include "accel/lanes/no_instruction.h"

#include "atl/syntax/print.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <set>

namespace atl::accel {

using namespace lowering;

namespace {

// As the user wrote it: without the guards that say which lanes load.
ExprPtr without_guards(const ExprPtr &e) {
  if (const Guard *guard = std::get_if<Guard>(&e->node))
    return without_guards(guard->body);
  std::vector<ExprPtr> kids = children(*e);
  for (ExprPtr &kid : kids)
    kid = without_guards(kid);
  return rebuild(*e, std::move(kids));
}

Diagnostic not_the_last(const Requests::Last &last, const Hardware &hardware, const std::string &lanes,
                        Span stored) {
  bool exists = std::any_of(hardware.instructions.begin(), hardware.instructions.end(),
                            [&](const Instruction &i) { return i.meaning.name == last.instruction; });
  return {Code::no_instruction,
          last.span,
          exists ? fmt::format("{} is not the last instruction for what {}", last.instruction, lanes)
                 : fmt::format("{} has no instruction {}", hardware.name, last.instruction),
          {{stored, lanes}}};
}

// "16 and 8"; empty if there are none.
std::string widths_in_words(const Target &target, Elem elem) {
  std::set<std::int64_t, std::greater<>> widths;
  for (const Pattern &pattern : target.patterns)
    if (pattern.elem == elem && !pattern.total)
      widths.insert(pattern.lanes);
  std::string all;
  for (std::int64_t width : widths)
    all += fmt::format("{}{}", all.empty() ? "" : " or ", width);
  return all;
}

bool has_width(const Target &target, Elem elem, std::int64_t lanes) {
  return std::any_of(target.patterns.begin(), target.patterns.end(),
                     [&](const Pattern &p) { return p.elem == elem && p.lanes == lanes && !p.total; });
}

} // namespace

Diagnostic no_instruction(const Target &target, const For &loop, const Store &store, const ExprPtr &part,
                          const Lanes &lanes) {
  if (loop.last && !lanes.locals.contains(store.buffer))
    return not_the_last(*loop.last, *target.hardware,
                        fmt::format("the {} lanes of {} store to {}", lanes.count, loop.var, store.buffer),
                        store.span);
  const Elem elem = part->type->elem;
  const std::string widths = widths_in_words(target, elem);
  if (!widths.empty() && !has_width(target, elem, lanes.count))
    return {Code::no_instruction,
            store.span,
            fmt::format("{} works on {} in vectors of {}; the loop {} has {} lanes", target.hardware->name,
                        name(elem), widths, loop.var, lanes.count),
            {{store.span,
              fmt::format("of {}, which is stored to {}", atl::print(without_guards(part)), store.buffer)}}};
  return {Code::no_instruction,
          store.span,
          fmt::format("{} has no instructions for {} lanes of {}, which is {}", target.hardware->name,
                      lanes.count, atl::print(without_guards(part)), name(part->type->elem)),
          {{std::nullopt, "it is stored to " + store.buffer + ", in lanes of the loop " + loop.var}}};
}

} // namespace atl::accel
