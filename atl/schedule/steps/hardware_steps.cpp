#include "atl/schedule/steps/hardware_steps.h"

#include <algorithm>
#include <fmt/format.h>

namespace atl::schedule {

namespace {

constexpr std::int64_t largest_distance = 1024; // iterations

Requests *mapped(Arguments &in, rewrites::Work &work) {
  if (!in.failed() && !work.requests)
    in.fail("there are no instructions; write `map all with HARDWARE` first");
  return in.failed() ? nullptr : &*work.requests;
}

} // namespace

static void map_loop(Arguments &in, rewrites::Work &work) {
  Span span = in.span();
  Path loop = in.loop();
  in.expect("to");
  std::string instruction = in.name();
  in.end();
  if (Requests *to = mapped(in, work))
    to->last.push_back({loop_head(at(work.kernel, loop))->var, instruction, span});
}

void map(Arguments &in, rewrites::Work &work) {
  if (!in.word("all"))
    return map_loop(in, work);
  in.expect("with");
  Span span = in.span();
  std::string hardware = in.name();
  in.end();
  if (in.failed())
    return;
  if (work.requests)
    return in.fail("the kernel is already mapped to " + work.requests->hardware);
  work.requests = Requests{hardware, span};
}

// Whether the hardware keeps tensors of this type in the memory; if not, says so.
static std::optional<Diagnostic> missing_memory(const rewrites::Work &work, const std::string &tensor,
                                                const std::string &memory, Span span, Span step) {
  const auto let = rewrites::find_let(work.kernel, tensor);
  if (!let) // which the rewrite refuses
    return std::nullopt;
  if (!work.hardware)
    return Diagnostic{Code::unknown_hardware,
                      step,
                      "the memory is one of no hardware: nothing in this schedule is mapped",
                      {{std::nullopt, "write `map all with HARDWARE;`"}}};
  const Elem elem = let->bound->type->elem;
  const Memory *found = work.hardware->find_memory(memory);
  if (found && found->c_types.contains(elem))
    return std::nullopt;
  return Diagnostic{Code::unknown_memory,
                    span,
                    fmt::format("{} has no memory {} for {}", work.hardware->name, memory, name(elem)),
                    {}};
}

void store_in(Arguments &in, rewrites::Work &work) {
  std::string tensor = in.name();
  in.expect("in");
  Span span = in.span();
  std::string memory = in.name();
  in.end();
  if (in.failed())
    return;
  if (auto problem = missing_memory(work, tensor, memory, span, in.span()))
    return in.fail(Diagnostics{*problem});
  if (auto refused = rewrites::place_let(work, tensor, memory))
    in.fail(refused->message, refused->notes);
}

void contract(Arguments &in, rewrites::Work &work) {
  in.end();
  if (Requests *to = mapped(in, work))
    to->contracts = true;
}

void pipeline(Arguments &in, rewrites::Work &work) {
  Span span = in.span();
  std::string tensor = in.name(), loop, from;
  if (in.word("at"))
    loop = in.name();
  if (in.word("from"))
    from = in.name();
  in.end();
  if (Requests *to = mapped(in, work))
    to->pipelined.push_back({tensor, loop, from, span});
}

void drain(Arguments &in, rewrites::Work &work) {
  Span span = in.span();
  std::string tensor = in.name();
  in.expect("at");
  std::string loop = in.name();
  in.end();
  if (Requests *to = mapped(in, work))
    to->drained.push_back({tensor, loop, span});
}

void start(Arguments &in, rewrites::Work &work) {
  Span span = in.span();
  std::string tensor = in.name();
  in.end();
  if (Requests *to = mapped(in, work))
    to->starts.push_back({tensor, span});
}

void leave_to_cpu(Arguments &in, rewrites::Work &work) {
  Span span = in.span();
  std::string tensor = in.name();
  in.expect("to");
  in.expect("cpu");
  in.end();
  if (Requests *to = mapped(in, work))
    to->on_cpu.push_back({tensor, span});
}

void prefetch(Arguments &in, rewrites::Work &work) {
  Span span = in.span();
  std::string tensor = in.name();
  in.expect("at");
  Path loop = in.loop();
  in.expect("by");
  Index count = in.index();
  in.end();
  if (in.failed())
    return;
  auto ahead = as_constant(count);
  if (!ahead || *ahead < 1 || *ahead > largest_distance)
    return in.fail(fmt::format("the number of iterations is a constant from 1 to {}, not {}",
                               largest_distance, to_string(count)));
  if (!names_in(work.kernel).contains(tensor))
    return in.fail("there is no tensor " + tensor);
  if (Requests *to = mapped(in, work))
    to->prefetches.push_back({tensor, loop_head(at(work.kernel, loop))->var, *ahead, span});
}

} // namespace atl::schedule
