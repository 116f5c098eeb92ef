#include "proofs/theorem/coq_names.h"

#include "atl/syntax/tree.h"

#include <algorithm>
#include <map>

namespace atl::proofs::coq {

namespace {

using Names = std::map<std::string, std::string>; // of what is alive: its name before, and as it is printed

bool is_taken(const std::string &name, const Names &names) {
  return std::any_of(names.begin(), names.end(), [&](const auto &pair) { return pair.second == name; });
}

void rename(lowering::Block &body, const Names &names) {
  for (lowering::Stmt &stmt : body)
    std::visit(
        [&](auto &s) {
          using S = std::decay_t<decltype(s)>;
          if constexpr (std::is_same_v<S, lowering::Alloc>) {
            std::string name = s.buffer.copy_of.empty() ? s.buffer.name : s.buffer.copy_of;
            if (is_taken(name, names))
              name = s.buffer.name;
            while (is_taken(name, names))
              name += "'";
            Names inner = names;
            inner[s.buffer.name] = name;
            s.buffer.name = name;
            rename(s.body, inner);
          } else if constexpr (std::is_same_v<S, lowering::Store>) {
            if (auto found = names.find(s.buffer); found != names.end())
              s.buffer = found->second;
            s.value = rename_accesses(s.value, names);
          } else {
            rename(s.body, names);
          }
        },
        stmt.node);
}

} // namespace

lowering::Block under_first_names(lowering::Block body, const std::vector<std::string> &buffers_around) {
  Names names;
  for (const std::string &name : buffers_around)
    names[name] = name;
  rename(body, names);
  return body;
}

} // namespace atl::proofs::coq
