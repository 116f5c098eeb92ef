#include "atl/schedule/steps/typed.h"

#include "atl/base/check.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace atl::schedule {

Result<std::string> Typed<std::string>::of(const Given &given, const TypedKernel &) {
  const LoopName &loop = given.at(0).name;
  if (loop.within)
    return Diagnostic{Code::step_usage,
                      loop.span,
                      fmt::format("{} is a loop of the program in the end, where `in {}` says nothing",
                                  loop.name, *loop.within),
                      {{std::nullopt, fmt::format("write {} alone", loop.name)}}};
  return loop.name;
}

Result<std::vector<Path>> Typed<std::vector<Path>>::of(const Given &given, const TypedKernel &kernel) {
  std::vector<Path> all;
  for (const Argument &argument : given) {
    if (argument.every) {
      auto loops = find_loops(kernel, argument.name, Where::anywhere);
      if (!loops)
        return loops.errors();
      all.insert(all.end(), loops->begin(), loops->end());
    } else {
      auto loop = find_loop(kernel, argument.name);
      if (!loop)
        return loop.errors();
      all.push_back(std::move(*loop));
    }
  }
  return all;
}

Result<rewrites::Tail> Typed<rewrites::Tail>::of(const Given &given, const TypedKernel &) {
  using rewrites::Tail;
  constexpr std::array<std::pair<std::string_view, Tail>, 5> tails{{{"guard", Tail::guard},
                                                                    {"cut", Tail::cut},
                                                                    {"shift", Tail::shift},
                                                                    {"pad", Tail::pad},
                                                                    {"exact", Tail::exact}}};
  const std::string &name = given.at(0).name.name;
  auto tail =
      std::find_if(tails.begin(), tails.end(), [&](const auto &entry) { return entry.first == name; });
  ATL_CHECK(tail != tails.end(), "a usage names a tail that there is not");
  return tail->second;
}

} // namespace atl::schedule
