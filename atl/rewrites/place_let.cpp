#include "atl/rewrites/rewrites.h"

#include <fmt/format.h>

namespace atl::rewrites {

namespace {

// The same tree with the let placed; nothing if it is not there.
ExprPtr with_place(const ExprPtr &e, const std::string &name, const std::string &memory) {
  if (const Let *let = std::get_if<Let>(&e->node); let && let->names.at(0) == name)
    return make(Let{let->names, let->bound, let->body, memory}, e->span, e->type);
  std::vector<ExprPtr> kids = children(*e);
  for (ExprPtr &kid : kids)
    if (ExprPtr changed = with_place(kid, name, memory)) {
      kid = changed;
      return rebuild(*e, std::move(kids));
    }
  return nullptr;
}

bool place_in(ExprPtr &e, const std::string &name, const std::string &memory) {
  ExprPtr changed = with_place(e, name, memory);
  e = changed ? changed : e;
  return changed != nullptr;
}

} // namespace

Refused place_let(Work &work, const std::string &name, const std::string &memory) {
  for (Binding &let : work.kernel.lets) {
    if (let.name == name) {
      let.memory = memory;
      return std::nullopt;
    }
    if (place_in(let.value, name, memory))
      return std::nullopt;
  }
  for (ExprPtr &result : work.kernel.results)
    if (place_in(result, name, memory))
      return std::nullopt;
  return Refusal{fmt::format("there is no temporary {}", name)};
}

} // namespace atl::rewrites
