// Steps that say which hardware a kernel is compiled for: its instructions, and where temporaries are kept.
// Nothing of what is computed changes; accel/ maps the loops once they are there.
#include "atl/schedule/steps/families.h"

#include <fmt/format.h>

namespace atl::schedule {

namespace {

using namespace rewrites;

constexpr std::int64_t largest_distance = 1024; // iterations

// Notes what is asked of the hardware.
template <class Ask>
Refused ask(Work &work, const Ask &what) {
  if (!work.requests)
    return Refusal{"there are no instructions; write `map all with HARDWARE` first"};
  what(*work.requests);
  return {};
}

Refused map_all(Work &work, const Name &hardware) {
  if (work.requests)
    return Refusal{"the kernel is already mapped to " + work.requests->hardware};
  work.requests = Requests{hardware.text, hardware.span};
  return {};
}

Outcome map_loop(Work &work, const LoopName &loop, const std::string &instruction) {
  auto path = find_loop(work.kernel, loop);
  if (!path)
    return path.errors();
  return ask(work, [&](Requests &to) { to.last.push_back({loop.name, instruction, loop.span}); });
}

std::string memories_in_words(const Hardware &hardware, Elem elem) {
  std::string all;
  for (const Memory &memory : hardware.memories)
    if (memory.c_types.contains(elem))
      all += (all.empty() ? "" : ", ") + memory.name;
  return all.empty() ? fmt::format("it has none for {}", name(elem))
                     : fmt::format("its memories for {} are {}", name(elem), all);
}

Outcome store_in(Work &work, const std::string &tensor, const Name &memory) {
  const auto let = find_let(work.kernel, tensor);
  const auto refused = place_let(work, tensor, memory.text);
  if (refused || !let)
    return refused;
  if (!work.hardware)
    return Diagnostics{{Code::unknown_hardware,
                        memory.span,
                        "the memory is one of no hardware: nothing in this schedule is mapped",
                        {{std::nullopt, "write `map all with HARDWARE;`"}}}};
  const Elem elem = let->bound->type->elem;
  const Memory *found = work.hardware->find_memory(memory.text);
  if (found && found->c_types.contains(elem))
    return refused;
  return Diagnostics{{Code::unknown_memory,
                      memory.span,
                      fmt::format("{} has no memory {} for {}", work.hardware->name, memory.text, name(elem)),
                      {{std::nullopt, memories_in_words(*work.hardware, elem)}}}};
}

Refused contract(Work &work) {
  return ask(work, [](Requests &to) { to.contracts = true; });
}

Refused pipeline(Work &work, const Name &tensor, const std::optional<std::string> &loop,
                 const std::optional<std::string> &from) {
  return ask(work, [&](Requests &to) {
    to.pipelined.push_back({tensor.text, loop.value_or(""), from.value_or(""), tensor.span});
  });
}

Refused drain(Work &work, const Name &tensor, const std::string &loop,
              const std::optional<std::string> &from) {
  return ask(work, [&](Requests &to) {
    to.drained.push_back({tensor.text, loop, from.value_or(""), tensor.span});
  });
}

Refused start(Work &work, const Name &tensor) {
  return ask(work, [&](Requests &to) {
    to.taken.push_back({tensor.text, Requests::Term::first, tensor.span});
  });
}

Refused end(Work &work, const Name &tensor) {
  return ask(work, [&](Requests &to) {
    to.taken.push_back({tensor.text, Requests::Term::last, tensor.span});
  });
}

Refused leave_to_cpu(Work &work, const Name &tensor) {
  return ask(work, [&](Requests &to) { to.on_cpu.push_back({tensor.text, tensor.span}); });
}

Refused prefetch(Work &work, const Name &tensor, const Path &loop, const Index &count) {
  auto ahead = as_constant(count);
  if (!ahead || *ahead < 1 || *ahead > largest_distance)
    return Refusal{fmt::format("the number of iterations is a constant from 1 to {}, not {}",
                               largest_distance, to_string(count))};
  if (!names_in(work.kernel).contains(tensor.text))
    return Refusal{"there is no tensor " + tensor.text};
  return ask(work, [&](Requests &to) {
    to.prefetches.push_back({tensor.text, loop_head(at(work.kernel, loop))->var, *ahead, tensor.span});
  });
}

} // namespace

StepRows hardware_steps() {
  return {
      step(map_all_usage,
           "maps vectorized loops and tensors in registers to the instructions of a hardware description",
           map_all),
      step_of_runner(
          auto_usage,
          "applies strategies that suit the kernel, and the hardware that the schedule maps it to"),
      step("map LOOP to INSTRUCTION",
           "says with which instruction a loop ends, or a reduction combines lanes", map_loop),
      step("contract", "allows instructions that round a * b + c once", contract),
      step("store TENSOR in MEMORY", "keeps a temporary in a memory of the hardware, such as registers",
           store_in),
      step("start TENSOR", "makes a sum start from what is added to it where it is read", start),
      step("end TENSOR", "makes a sum end with what is added to it where it is read", end),
      step("leave TENSOR to cpu", "computes a tensor with loops on the CPU, between the instructions",
           leave_to_cpu),
      step("pipeline TENSOR [at LOOP] [from LOOP]", "fills a temporary one iteration ahead", pipeline),
      step("drain TENSOR at LOOP [from LOOP]",
           "stores the complete part of a temporary while LOOP computes the rest, or the next one", drain),
      step("prefetch TENSOR at LOOP by COUNT",
           "asks the caches for what LOOP will read COUNT iterations later", prefetch),
  };
}

} // namespace atl::schedule
