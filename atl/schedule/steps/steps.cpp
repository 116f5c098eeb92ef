// What each step does, in terms of the core rewrites.
#include "atl/schedule/steps/apply_rule.h"
#include "atl/schedule/steps/hardware_steps.h"
#include "atl/schedule/steps/size_steps.h"
#include "atl/schedule/steps/step_table.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <tuple>
#include <utility>

namespace atl::schedule {

namespace {

using namespace rewrites;

void tell(Arguments &in, const Refused &refused) {
  if (refused)
    in.fail(refused->message, refused->notes);
}

Tail read_tail(Arguments &in, std::initializer_list<std::string_view> allowed) {
  if (!in.word("tail"))
    return Tail::guard;
  std::string tail = in.one_of(allowed);
  constexpr std::array names{std::pair("cut", Tail::cut), std::pair("shift", Tail::shift),
                             std::pair("pad", Tail::pad), std::pair("exact", Tail::exact)};
  for (const auto &[name, meaning] : names)
    if (tail == name)
      return meaning;
  return Tail::guard;
}

// into FIRST, SECOND; both empty if it is not there.
std::pair<std::string, std::string> read_into(Arguments &in) {
  if (!in.word("into"))
    return {};
  std::string first = in.name();
  in.comma();
  return {first, in.name()};
}

Split split_named(const std::string &loop, const Index &factor) {
  return {factor, loop + ".o", loop + ".i", loop + ".t", Tail::guard};
}

std::string name_at(const Work &work, const Path &loop) {
  return loop_head(at(work.kernel, loop))->var;
}

// From the last to the first: a change leaves the places before it where they are.
void at_each(Arguments &in, std::vector<Path> loops, const std::function<Refused(const Path &)> &change) {
  for (auto loop = loops.rbegin(); loop != loops.rend() && !in.failed(); ++loop)
    tell(in, change(*loop));
}

void split(Arguments &in, Work &work) {
  std::vector<Path> loops = in.loops();
  in.expect("by");
  Split how{in.index(), "", "", "", Tail::guard};
  std::tie(how.outer, how.inner) = read_into(in);
  how.tail = read_tail(in, {"guard", "cut", "shift", "pad", "exact"});
  in.end();
  at_each(in, loops, [&](const Path &loop) {
    Split named = split_named(name_at(work, loop), how.factor);
    named.tail = how.tail;
    if (!how.outer.empty()) {
      named.outer = how.outer;
      named.inner = how.inner;
    }
    return split_loop(work, loop, named);
  });
}

// Of the loops named, the one around the others, and each name once.
std::optional<Path> outermost_of(Arguments &in, const TypedKernel &kernel,
                                 const std::vector<LoopName> &names) {
  std::vector<Path> paths;
  for (const LoopName &name : names) {
    auto path = find_loop(kernel, name);
    if (!path) {
      in.fail(path.errors());
      return std::nullopt;
    }
    if (std::find(paths.begin(), paths.end(), *path) != paths.end()) {
      in.fail(name.name + " is named twice");
      return std::nullopt;
    }
    paths.push_back(*path);
  }
  Path outermost = *std::min_element(paths.begin(), paths.end(), [](const Path &a, const Path &b) {
    return a.steps.size() < b.steps.size();
  });
  for (const Path &path : paths)
    if (!path.is_inside(outermost)) {
      in.fail(fmt::format("{} is not inside {}", loop_head(at(kernel, path))->var,
                          loop_head(at(kernel, outermost))->var));
      return std::nullopt;
    }
  return outermost;
}

void reorder_named(Arguments &in, Work &work, const std::vector<LoopName> &names) {
  auto outermost = outermost_of(in, work.kernel, names);
  if (!outermost)
    return;
  std::vector<std::string> order;
  for (const LoopName &name : names)
    order.push_back(name.name);
  tell(in, reorder_loops(work, *outermost, order));
}

void reorder(Arguments &in, Work &work) {
  std::vector<LoopName> names{in.loop_name()};
  while (in.comma())
    names.push_back(in.loop_name());
  in.end();
  if (in.failed())
    return;
  for (LoopName &name : names) // `in` at the end is meant for all
    if (!name.within)
      name.within = names.back().within;
  reorder_named(in, work, names);
}

void tile(Arguments &in, Work &work) {
  std::vector<std::pair<LoopName, Index>> loops;
  do {
    LoopName loop = in.loop_name();
    in.expect("by");
    loops.emplace_back(loop, in.index());
  } while (in.comma());
  Tail tail = read_tail(in, {"guard", "shift", "pad", "exact"});
  in.end();
  std::vector<LoopName> outer, inner;
  for (const auto &[loop, factor] : loops) {
    if (in.failed())
      return;
    auto path = find_loop(work.kernel, loop);
    if (!path)
      return in.fail(path.errors());
    Split how = split_named(loop.name, factor);
    how.tail = tail;
    tell(in, split_loop(work, *path, how));
    outer.push_back({how.outer, loop.within, loop.span});
    inner.push_back({how.inner, loop.within, loop.span});
  }
  outer.insert(outer.end(), inner.begin(), inner.end());
  if (!in.failed())
    reorder_named(in, work, outer);
}

void fuse(Arguments &in, Work &work) {
  LoopName outer = in.loop_name();
  in.comma();
  LoopName inner = in.loop_name();
  std::string fused = in.word("into") ? in.name() : outer.name + "." + inner.name;
  in.end();
  if (in.failed())
    return;
  if (!outer.within)
    outer.within = inner.within;
  auto a = find_loop(work.kernel, outer);
  auto b = find_loop(work.kernel, inner);
  for (auto *path : {&a, &b})
    if (!*path)
      return in.fail(path->errors());
  if (*b != a->child(0))
    return in.fail(
        fmt::format("{} is not directly inside {}", inner.name, outer.name),
        {{std::nullopt,
          "bring them together with reorder, and fuse outer loops before inner ones; the loops are now " +
              loops_of(work.kernel)}});
  tell(in, fuse_loops(work, *a, fused));
}

void cut_at(Arguments &in, Work &work, const Path &loop, const Index &place, std::string first,
            std::string second) {
  std::string name = name_at(work, loop);
  if (loop_head(at(work.kernel, loop))->reduction) {
    if (!first.empty())
      return in.fail(name + " is a reduction, the two parts of which keep its name",
                     {{std::nullopt, "write it without `into`"}});
    return tell(in, cut_reduction(work, loop, place, name + ".c"));
  }
  if (first.empty()) {
    first = name + ".a";
    second = name + ".b";
  }
  tell(in, cut_loop(work, loop, place, first, second));
}

void cut(Arguments &in, Work &work) {
  Path loop = in.loop();
  in.expect("at");
  Index place = in.index();
  auto [first, second] = read_into(in);
  in.end();
  if (!in.failed())
    cut_at(in, work, loop, place, first, second);
}

// At most as many iterations as there are.
void peel_off(Arguments &in, Work &work, const Path &loop, const Index &count) {
  LoopHead head = *loop_head(at(work.kernel, loop));
  Index place = binary(IndexOp::min, add(head.lo, count), head.hi);
  cut_at(in, work, loop, known_at(work.kernel, loop).facts().simplify(place), "", "");
}

void peel(Arguments &in, Work &work) {
  Path loop = in.loop();
  Index count = in.word("by") ? in.index() : constant(1);
  in.end();
  if (!in.failed())
    peel_off(in, work, loop, count);
}

void distribute(Arguments &in, Work &work) {
  Path loop = in.loop();
  auto [first, second] = read_into(in);
  in.end();
  if (in.failed())
    return;
  if (first.empty()) {
    first = name_at(work, loop);
    second = first + ".r";
  }
  bool is_reduction = loop_head(at(work.kernel, loop))->reduction.has_value();
  tell(in,
       is_reduction ? distribute_sum(work, loop, first, second) : distribute_loop(work, loop, first, second));
}

template <Refused (*rewrite)(Work &, const Path &)>
void on_loop(Arguments &in, Work &work) {
  Path loop = in.loop();
  in.end();
  if (!in.failed())
    tell(in, rewrite(work, loop));
}

template <LoopMode mode>
void run_as(Arguments &in, Work &work) {
  std::vector<Path> loops = in.loops();
  in.end();
  at_each(in, loops, [&](const Path &loop) { return set_mode(work, loop, mode); });
}

void compute(Arguments &in, Work &work) {
  std::string tensor = in.name();
  in.expect("at");
  if (in.word("root")) {
    in.end();
    if (!in.failed())
      tell(in, hoist_let(work, tensor, std::nullopt));
    return;
  }
  std::vector<Path> loops = in.loops();
  while (in.comma()) {
    std::vector<Path> more = in.loops();
    loops.insert(loops.end(), more.begin(), more.end());
  }
  in.end();
  if (in.failed())
    return;
  auto let = find_let(work.kernel, tensor);
  bool inside = let && !let->outermost && loops.size() == 1 && let->path.is_inside(loops[0]);
  tell(in, inside ? hoist_let(work, tensor, loops[0]) : sink_let(work, tensor, loops));
}

void inline_step(Arguments &in, Work &work) {
  std::string tensor = in.name();
  in.end();
  if (!in.failed())
    tell(in, inline_let(work, tensor));
}

std::vector<Index> read_list(Arguments &in) {
  std::vector<Index> list{in.index()};
  while (in.comma())
    list.push_back(in.index());
  return list;
}

struct Staging {
  std::string tensor, copy;
  Path loop;
};

Staging read_staging(Arguments &in, const Work &work) {
  Staging s;
  s.tensor = in.name();
  in.expect("at");
  s.loop = in.loop();
  s.copy = in.word("as") ? in.name() : work.fresh(s.tensor + ".s");
  if (!in.failed() && names_in(work.kernel).contains(s.copy))
    in.fail(s.copy + " is already a name of the program");
  return s;
}

void stage(Arguments &in, Work &work) {
  Staging s = read_staging(in, work);
  in.end();
  if (!in.failed())
    tell(in, stage_window(work, s.tensor, s.loop, s.copy));
}

void pack(Arguments &in, Work &work) {
  Staging s = read_staging(in, work);
  in.expect("to");
  std::vector<Index> dimensions = read_list(in);
  in.end();
  if (!in.failed())
    tell(in, stage_window(work, s.tensor, s.loop, s.copy));
  if (!in.failed())
    tell(in, change_layout(work, s.copy, dimensions));
}

void layout(Arguments &in, Work &work) {
  std::string tensor = in.name();
  in.expect("to");
  std::vector<Index> dimensions = read_list(in);
  in.end();
  if (!in.failed())
    tell(in, change_layout(work, tensor, dimensions));
}

void slide(Arguments &in, Work &work) {
  std::string tensor = in.name();
  in.expect("by");
  Index sum = in.index();
  in.end();
  if (!in.failed())
    tell(in, slide_dimensions(work, tensor, sum));
}

void rfactor(Arguments &in, Work &work) {
  Path loop = in.loop();
  std::string part = in.word("as") ? in.name() : "";
  in.end();
  if (in.failed())
    return;
  if (part.empty())
    part = work.fresh(root_name(work.kernel, loop) + ".part");
  tell(in, factor_reduction(work, loop, part));
}

void accumulate(Arguments &in, Work &work) {
  Path loop = in.loop();
  std::string name = in.word("as") ? in.name() : work.fresh("acc");
  in.end();
  if (!in.failed())
    tell(in, bind_expression(work, loop, name));
}

void shift(Arguments &in, Work &work) {
  Path loop = in.loop();
  in.expect("by");
  Index distance = in.index();
  in.expect("as");
  std::string name = in.name();
  in.expect("to");
  Index count = in.index();
  in.end();
  if (!in.failed())
    tell(in, change_variable(work, loop, distance, name, count));
}

void simplify_step(Arguments &in, Work &work) {
  in.end();
  if (!in.failed())
    tell(in, simplify(work));
}

void merge(Arguments &in, Work &work) {
  std::string kept = in.name();
  in.comma();
  std::string dropped = in.name();
  in.end();
  if (!in.failed())
    tell(in, merge_lets(work, kept, dropped));
}

void bind(Arguments &in, Work &work) {
  Staging s = read_staging(in, work);
  in.end();
  if (!in.failed())
    tell(in, bind_access(work, s.tensor, s.loop, s.copy));
}

constexpr std::array<StepInfo, 38> steps{{
    {"split", "split LOOP by FACTOR [into OUTER, INNER] [tail guard | cut | shift | pad | exact]",
     "splits a loop into tiles of FACTOR iterations: LOOP.o over the tiles, LOOP.i inside one", split},
    {"tile", "tile LOOP by FACTOR, LOOP by FACTOR ... [tail guard | shift | pad | exact]",
     "splits each loop, and moves the loops over tiles outside the loops inside a tile", tile},
    {"reorder", "reorder LOOP, LOOP ... [in WHERE]", "nests loops in this order, the first one outermost",
     reorder},
    {"fuse", "fuse LOOP, LOOP [into NAME]", "makes one loop of two that are nested directly", fuse},
    {"cut", "cut LOOP at PLACE [into FIRST, SECOND]", "divides a loop into two, one after the other", cut},
    {"peel", "peel LOOP [by COUNT]", "makes a separate loop of the first iterations", peel},
    {"distribute", "distribute LOOP [into FIRST, SECOND]",
     "moves a loop into the two parts inside it; makes two sums of a sum of sums", distribute},
    {"unroll", "unroll LOOP", "writes out the iterations one after the other", run_as<LoopMode::unrolled>},
    {"vectorize", "vectorize LOOP", "runs the iterations as vector instructions",
     run_as<LoopMode::vectorized>},
    {"parallel", "parallel LOOP", "runs the iterations on several threads", run_as<LoopMode::parallel>},
    {"sequential", "sequential LOOP", "runs the iterations one after the other, in order",
     run_as<LoopMode::sequential>},
    {"compute", "compute TENSOR at LOOP [, LOOP ...] | compute TENSOR at root",
     "computes a temporary inside LOOP, as much of it as one iteration needs, or outside all loops", compute},
    {"inline", "inline TENSOR", "computes a temporary again wherever it is read", inline_step},
    {"stage", "stage TENSOR at LOOP [as NAME]",
     "copies what one iteration reads of a tensor, and reads the copy", stage},
    {"pack", "pack TENSOR at LOOP as NAME to DIMENSION, ...",
     "copies what one iteration reads of a tensor, in another layout", pack},
    {"layout", "layout TENSOR to DIMENSION, ...",
     "reorders or splits the dimensions of a temporary: d1 / 16, d0, d1 % 16", layout},
    {"slide", "slide TENSOR by DIMENSION + DIMENSION",
     "makes one dimension of two, where a cell depends on their sum only", slide},
    {"rfactor", "rfactor LOOP [as NAME]",
     "computes partial results of a reduction, one for each iteration of LOOP, in a temporary", rfactor},
    {"bind", "bind TENSOR at LOOP [as NAME]",
     "keeps the one cell of a tensor that an iteration reads in a temporary", bind},
    {"merge", "merge KEPT, DROPPED", "makes one temporary of two with the same expression", merge},
    {"shift", "shift LOOP by DISTANCE as NAME to COUNT",
     "makes a reduction run over NAME < COUNT, with LOOP = NAME + DISTANCE", shift},
    {"collapse", "collapse LOOP",
     "replaces a reduction by its only term, where a guard fixes the value of LOOP",
     on_loop<collapse_reduction>},
    {"simplify", "simplify", "removes guards that always hold, merges nested guards, simplifies indices",
     simplify_step},
    {"specialize", "specialize when CONDITION { ... }",
     "makes a version for the sizes that satisfy a condition",
     nullptr}, // the runner's: it keeps the versions
    {"bound", "bound CONDITION", "states a condition on sizes that follows from the where clause", bound},
    {"align", "align SIZE to FACTOR", "states that FACTOR divides SIZE", align},
    {"factor", "factor LOOP", "takes a factor that all terms of a sum share out of the sum",
     on_loop<factor_out>},
    {"absorb", "absorb LOOP", "moves a factor of a sum into its terms", on_loop<absorb_factor>},
    {"map", "map all with HARDWARE, or map LOOP to INSTRUCTION",
     "maps vectorized loops and tensors in registers to the instructions of a hardware description", map},
    {"store", "store TENSOR in MEMORY", "keeps a temporary in a memory of the hardware, such as registers",
     store_in},
    {"pipeline", "pipeline TENSOR [at LOOP] [from LOOP]", "fills a temporary one iteration ahead", pipeline},
    {"drain", "drain TENSOR at LOOP", "stores the complete part of a temporary while LOOP computes the rest",
     drain},
    {"prefetch", "prefetch TENSOR at LOOP by COUNT",
     "asks the caches for what LOOP will read COUNT iterations later", prefetch},
    {"start", "start TENSOR", "makes a sum start from what is added to it where it is read", start},
    {"leave", "leave TENSOR to cpu", "computes a tensor with loops on the CPU, between the instructions",
     leave_to_cpu},
    {"contract", "contract", "allows instructions that round a * b + c once", contract},
    {"apply", "apply RULE at LOOP [by COUNT]",
     "applies one small rule: moves a guard, or adds reshapes that cancel each other", apply_rule},
    {"accumulate", "accumulate LOOP [as NAME]",
     "collects a reduction in a temporary, and copies it when it is complete", accumulate},
}};

} // namespace

std::span<const StepInfo> all_steps() {
  return steps;
}

const StepInfo *find_step(std::string_view name) {
  for (const StepInfo &step : all_steps())
    if (step.name == name)
      return &step;
  return nullptr;
}

} // namespace atl::schedule
