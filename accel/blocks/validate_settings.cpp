#include "accel/blocks/validate_settings.h"

#include "accel/blocks/setting.h"
#include "accel/blocks/ways.h"
#include "lowering/nest/run_loops.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <optional>

namespace atl::accel {

using namespace lowering;

namespace {

// A setting that may be the last one of its configuration before a place; nothing: there may be none. Where a
// loop has gone on since, its variable had another value then, one of `variables`.
struct Last {
  std::optional<Setting> setting = {};
  std::vector<std::string> variables = {};
  std::vector<Pred> facts = {}; // about these
};
using LastOnes = std::map<std::string, std::vector<Last>>; // by configuration

bool same(const Last &a, const Last &b) {
  bool are_set = a.setting && b.setting;
  return a.setting.has_value() == b.setting.has_value() && a.variables == b.variables &&
         (!are_set || accel::same(*a.setting, *b.setting));
}

// As it is known when the loop has gone on, or has ended.
Last earlier(Last last, const For &loop) {
  bool is_about_loop =
      last.setting && (mentions(*last.setting, loop.var) ||
                       std::any_of(last.facts.begin(), last.facts.end(),
                                   [&](const Pred &fact) { return mentions(fact, loop.var); }));
  if (!is_about_loop)
    return last;
  const std::string then = loop.var + ".earlier";
  const Subst by{{loop.var, variable(then)}};
  last.setting = substituted(*last.setting, by);
  for (Pred &fact : last.facts)
    fact = substitute(fact, by);
  last.facts.push_back(in_range(loop.lo, variable(then), loop.hi));
  last.variables.push_back(then);
  return last;
}

// Claims that the last setting has the values that are needed.
void claim_same(const Setting &need, const Last &last, Obligation &o) {
  for (std::size_t i = 0; i < need.values.size(); ++i) {
    const Index *wanted = std::get_if<Index>(&need.values[i]);
    const Index *found = std::get_if<Index>(&last.setting->values[i]);
    Pred is_same =
        wanted && found
            ? compare(PredOp::eq, *found, *wanted)
            : truth(!wanted && !found &&
                    equal(std::get<ExprPtr>(need.values[i]), std::get<ExprPtr>(last.setting->values[i])));
    bool is_new = std::none_of(o.claims.begin(), o.claims.end(),
                               [&](const Claim &claim) { return equal(claim.holds, is_same); });
    if (is_new)
      o.claims.push_back({is_same, {text_of(*last.setting) + " may be what is set"}});
  }
  o.variables.insert(o.variables.end(), last.variables.begin(), last.variables.end());
  o.hypotheses.insert(o.hypotheses.end(), last.facts.begin(), last.facts.end());
}

class LastSettings : public Ways<LastOnes> {
public:
  std::vector<Obligation> obligations;

private:
  void merge(LastOnes &into, LastOnes others) override {
    for (const auto &[name, all] : others)
      for (const Last &last : all) {
        std::vector<Last> &known = into[name];
        if (std::none_of(known.begin(), known.end(), [&](const Last &other) { return same(last, other); }))
          known.push_back(last);
      }
  }

  void enter(const For &loop, LastOnes &now) override {
    for (const Setting &setting : loop.block->settings)
      now[setting.configuration->name] = {Last{setting}};
  }

  void go_on(const For &loop, LastOnes &all) override {
    for (auto &[name, lasts] : all)
      for (Last &last : lasts)
        last = earlier(std::move(last), loop);
  }

  void at_call(const For &nest, const Known &around, LastOnes &now) override {
    if (is_stating())
      for (const Setting &need : nest.block->needs)
        state(nest, need, around, now[need.configuration->name]);
    for (const std::string &name : nest.block->call->instruction->clobbers)
      if (auto configuration = now.find(name); configuration != now.end())
        configuration->second = {Last{}};
  }

  void state(const For &nest, const Setting &need, const Known &around, const std::vector<Last> &lasts) {
    const BlockCall &call = *nest.block->call;
    Obligation o = obligation_at(around, nest.span,
                                 fmt::format("{} finds {}", call.instruction->meaning.name, text_of(need)));
    if (call.condition->op != PredOp::truth)
      o.hypotheses.push_back(call.condition);
    bool is_known = !lasts.empty();
    for (const Last &last : lasts) {
      is_known = is_known && last.setting;
      if (last.setting)
        claim_same(need, last, o);
    }
    if (!is_known || o.claims.empty())
      o.claims.push_back({truth(is_known), {need.configuration->name + " may not be set"}});
    obligations.push_back(std::move(o));
  }
};

} // namespace

std::vector<Obligation> setting_obligations(const LoopKernel &kernel) {
  LastOnes none;
  for (const Configuration &configuration : kernel.hardware->configurations)
    none[configuration.name] = {Last{}};
  LastSettings settings;
  settings.follow(kernel, std::move(none));
  return std::move(settings.obligations);
}

} // namespace atl::accel
