#include "fuzz/schedules.h"

#include "atl/parse/parse.h"

#include <fmt/format.h>

namespace atl::fuzz {

namespace {

struct Offer {
  std::vector<std::string> loops; // as steps name them: `y in rows`
  std::vector<std::string> lets, tensors, sizes;
};

// What there is to name in a kernel.
Offer offer_of(const TypedKernel &kernel) {
  Offer offer;
  offer.sizes = kernel.size_names();
  for (const Param &param : kernel.params)
    if (param.kind == Param::Kind::tensor && !param.type.shape.empty())
      offer.tensors.push_back(param.name);
  for (const Binding &let : kernel.lets)
    offer.lets.push_back(let.name);
  for_each_node(kernel, [&](const Path &path, const ExprPtr &e) {
    if (auto head = loop_head(e))
      offer.loops.push_back(head->var + " in " + root_name(kernel, path));
    if (const Let *let = std::get_if<Let>(&e->node))
      offer.lets.push_back(let->names.at(0));
  });
  offer.tensors.insert(offer.tensors.end(), offer.lets.begin(), offer.lets.end());
  return offer;
}

std::string draw_step(const Offer &offer, Random &random, int number) {
  auto loop = [&] { return random.pick(offer.loops); };
  auto factor = [&] { return std::to_string(random.between(1, 5)); };
  auto fresh = [&](const char *prefix) { return fmt::format("{}{}", prefix, number); };
  auto size = [&] { return offer.sizes.empty() ? std::string("3") : random.pick(offer.sizes); };
  Choice<std::string> choice;
  choice.add(6, [&] {
    const char *tail = random.pick(
        std::vector<const char *>{"", " tail guard", " tail cut", " tail exact", " tail shift", " tail pad"});
    return fmt::format("split {} by {}{}", loop(), factor(), tail);
  });
  choice.add(3, [&] { return fmt::format("tile {} by {}, {} by {}", loop(), factor(), loop(), factor()); });
  choice.add(6, [&] {
    std::string first = loop(), second = loop();
    return fmt::format("reorder {}, {}", first, second);
  });
  choice.add(2, [&] { return fmt::format("reorder {}, {}, {}", loop(), loop(), loop()); });
  choice.add(3, [&] { return fmt::format("fuse {}, {} into {}", loop(), loop(), fresh("f")); });
  choice.add(3, [&] {
    std::string place = random.chance(50) ? "min(1, " + size() + ")" : size() + " / 2";
    return random.chance(50) ? fmt::format("cut {} at {}", loop(), place)
                             : fmt::format("cut {} at {} into {}, {}", loop(), place, fresh("a"), fresh("b"));
  });
  choice.add(2, [&] { return fmt::format("distribute {} into {}, {}", loop(), fresh("p"), fresh("q")); });
  choice.add(2, [&] { return fmt::format("unroll {}", loop()); });
  choice.add(1, [&] { return fmt::format("parallel {}", loop()); });
  choice.add(1, [&] { return fmt::format("vectorize {}", loop()); });
  if (!offer.lets.empty()) {
    choice.add(6, [&] { return fmt::format("compute {} at {}", random.pick(offer.lets), loop()); });
    choice.add(2,
               [&] { return fmt::format("compute {} at {}, {}", random.pick(offer.lets), loop(), loop()); });
    choice.add(2, [&] { return fmt::format("compute {} at root", random.pick(offer.lets)); });
    choice.add(1,
               [&] { return fmt::format("merge {}, {}", random.pick(offer.lets), random.pick(offer.lets)); });
    choice.add(3, [&] { return fmt::format("inline {}", random.pick(offer.lets)); });
    choice.add(2, [&] { return fmt::format("layout {} to d1, d0", random.pick(offer.lets)); });
    choice.add(2, [&] {
      return fmt::format("layout {} to d0 / {}, d0 % {}", random.pick(offer.lets), number + 1, number + 1);
    });
  }
  if (!offer.tensors.empty()) {
    choice.add(3, [&] {
      return fmt::format("stage {} at {} as {}", random.pick(offer.tensors), loop(), fresh("s"));
    });
    choice.add(3, [&] {
      return fmt::format("bind {} at {} as {}", random.pick(offer.tensors), loop(), fresh("b"));
    });
  }
  choice.add(2, [&] { return fmt::format("rfactor {} as {}", loop(), fresh("part")); });
  choice.add(2, [&] { return fmt::format("accumulate {} as {}", loop(), fresh("acc")); });
  choice.add(2, [&] { return std::string("simplify"); });
  choice.add(1, [&] {
    return fmt::format("shift {} by {} as {} to {}", loop(), random.between(0, 2), fresh("r"), size());
  });
  choice.add(1, [&] { return fmt::format("collapse {}", loop()); });
  choice.add(1, [&] { return fmt::format("factor {}", loop()); });
  choice.add(1, [&] { return fmt::format("absorb {}", loop()); });
  choice.add(1, [&] {
    const char *rule =
        random.pick(std::vector<const char *>{"pull_guard", "push_guard", "state_range", "narrow_range"});
    return fmt::format("apply {} at {}", rule, loop());
  });
  choice.add(1, [&] {
    const char *rule = random.pick(std::vector<const char *>{"pad_right", "pad_left"});
    return fmt::format("apply {} at {} by {}", rule, loop(), random.between(0, 3));
  });
  choice.add(1,
             [&] { return fmt::format("specialize when {} % 2 == 0 {{ split {} by 2; }}", size(), loop()); });
  return choice.choose(random);
}

std::vector<Step> parse_steps(const std::string &text) {
  Sources sources;
  std::uint32_t file = sources.add({"schedule.atl", "step s { " + text + " }"});
  auto program = parse_program(sources, file);
  return program ? program->steps.at(0).body : std::vector<Step>{};
}

} // namespace

DrawnSchedule draw_schedule(const TypedKernel &algorithm, Random &random, const schedule::Judge &judge) {
  DrawnSchedule drawn;
  TypedKernel now = algorithm;
  int wanted = random.between(1, 6);
  for (int attempt = 0; attempt < 4 * wanted && static_cast<int>(drawn.steps.size()) < wanted; ++attempt) {
    Offer offer = offer_of(now);
    if (offer.loops.empty())
      break;
    std::string text = draw_step(offer, random, attempt) + ";";
    if (text.back() == ';' && text[text.size() - 2] == '}')
      text.pop_back();
    std::vector<Step> steps = drawn.steps;
    for (Step &step : parse_steps(text))
      steps.push_back(std::move(step));
    auto outcome = schedule::run(algorithm, steps, judge);
    if (auto *done = std::get_if<schedule::Scheduled>(&outcome); done && steps.size() > drawn.steps.size()) {
      now = done->general();
      drawn.steps = std::move(steps);
      drawn.text += text + " ";
    } else {
      ++drawn.refused;
    }
  }
  return drawn;
}

} // namespace atl::fuzz
