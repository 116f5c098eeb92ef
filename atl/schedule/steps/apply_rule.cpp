#include "atl/schedule/steps/apply_rule.h"

#include <array>
#include <fmt/format.h>

namespace atl::schedule {

namespace {

using namespace rewrites;

struct Rule {
  std::string_view name;
  Refused (*at_loop)(Work &, const Path &);                   // one of the two
  Refused (*with_count)(Work &, const Path &, const Index &); // written `by COUNT`
};

constexpr std::array<Rule, 6> rules{{{"pull_guard", pull_guard, nullptr},
                                     {"push_guard", push_guard, nullptr},
                                     {"state_range", state_range, nullptr},
                                     {"narrow_range", narrow_range, nullptr},
                                     {"pad_right", nullptr, pad_right},
                                     {"pad_left", nullptr, pad_left}}};

const Rule *find_rule(std::string_view name) {
  for (const Rule &rule : rules)
    if (rule.name == name)
      return &rule;
  return nullptr;
}

std::string all_names() {
  std::string all;
  for (const Rule &rule : rules)
    all += fmt::format("{}{}", all.empty() ? "" : ", ", rule.name);
  return all;
}

} // namespace

void apply_rule(Arguments &in, Work &work) {
  std::string name = in.name();
  if (in.failed())
    return;
  const Rule *rule = find_rule(name);
  if (!rule)
    return in.fail("there is no rule " + name, {{std::nullopt, "the rules are " + all_names()}});
  in.expect("at");
  Path loop = in.loop();
  Index count;
  if (rule->with_count) {
    in.expect("by");
    count = in.index();
  }
  in.end();
  if (in.failed())
    return;
  if (Refused refused = rule->at_loop ? rule->at_loop(work, loop) : rule->with_count(work, loop, count))
    in.fail(refused->message, refused->notes);
}

} // namespace atl::schedule
