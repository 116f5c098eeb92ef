#include "fuzz/examine.h"
#include "atl/check/check.h"

#include "atl/base/check.h"
#include "atl/parse/parse.h"
#include "atl/syntax/print.h"
#include "fuzz/context.h"
#include "fuzz/inputs.h"
#include "fuzz/obligations.h"
#include "lowering/copies/versions.h"
#include "lowering/nest/run_loops.h"
#include "lowering/verify/verify.h"

#include <algorithm>
#include <fmt/format.h>

namespace atl::fuzz {

namespace {

using Status = Examined::Status;

Examined failed(std::string reason) {
  Examined result;
  result.status = Status::failed;
  result.reason = std::move(reason);
  return result;
}

Result<Program> parse(const std::string &text, Sources &sources) {
  std::uint32_t file = sources.add({"fuzz.atl", text});
  return parse_program(sources, file);
}

std::string all_messages(const Diagnostics &errors, const Sources &sources) {
  std::string text;
  for (const Diagnostic &d : errors)
    text += render(d, sources);
  return text;
}

bool same_index_or_expr(const Constant &a, const Constant &b) {
  if (a.name != b.name || a.elem != b.elem || a.value.index() != b.value.index())
    return false;
  return a.value.index() == 0 ? equal(std::get<0>(a.value), std::get<0>(b.value))
                              : equal(std::get<1>(a.value), std::get<1>(b.value));
}

bool same_type(const Type &a, const Type &b) {
  return a.elem == b.elem && std::equal(a.shape.begin(), a.shape.end(), b.shape.begin(), b.shape.end(),
                                        [](const Index &x, const Index &y) { return equal(x, y); });
}

bool same(const Kernel &a, const Kernel &b) {
  auto same_param = [](const Param &x, const Param &y) {
    return x.kind == y.kind && x.name == y.name && (x.kind == Param::Kind::size || same_type(x.type, y.type));
  };
  auto same_output = [](const Output &x, const Output &y) {
    return x.name == y.name && same_type(x.type, y.type);
  };
  auto same_where = [](const Where &x, const Where &y) { return equal(x.pred, y.pred); };
  auto same_size = [](const SizeValue &x, const SizeValue &y) {
    return x.name == y.name && x.value == y.value;
  };
  return a.name == b.name && equal(a.body, b.body) &&
         std::equal(a.params.begin(), a.params.end(), b.params.begin(), b.params.end(), same_param) &&
         std::equal(a.outputs.begin(), a.outputs.end(), b.outputs.begin(), b.outputs.end(), same_output) &&
         std::equal(a.where.begin(), a.where.end(), b.where.begin(), b.where.end(), same_where) &&
         std::equal(a.such_as.begin(), a.such_as.end(), b.such_as.begin(), b.such_as.end(), same_size);
}

bool same(const Function &a, const Function &b) {
  return a.name == b.name && a.result == b.result && equal(a.body, b.body) &&
         std::equal(a.params.begin(), a.params.end(), b.params.begin(), b.params.end(),
                    [](const Function::Arg &x, const Function::Arg &y) {
                      return x.name == y.name && x.elem == y.elem;
                    });
}

bool same(const Program &a, const Program &b) {
  auto same_definition = [](const auto &x, const auto &y) { return same(x, y); };
  return std::equal(a.constants.begin(), a.constants.end(), b.constants.begin(), b.constants.end(),
                    same_index_or_expr) &&
         std::equal(a.functions.begin(), a.functions.end(), b.functions.begin(), b.functions.end(),
                    same_definition) &&
         std::equal(a.kernels.begin(), a.kernels.end(), b.kernels.begin(), b.kernels.end(), same_definition);
}

// A result that begins with lets is read again as a kernel that begins with them.
TypedKernel with_outer_lets(TypedKernel kernel) {
  if (kernel.results.size() == 1)
    while (const Let *let = std::get_if<Let>(&kernel.results[0]->node)) {
      kernel.lets.push_back({let->names[0], let->bound});
      kernel.results[0] = ExprPtr(let->body);
    }
  return kernel;
}

bool same(const TypedKernel &with_lets_inside_a, const TypedKernel &with_lets_inside_b) {
  TypedKernel a = with_outer_lets(with_lets_inside_a), b = with_outer_lets(with_lets_inside_b);
  auto same_binding = [](const Binding &x, const Binding &y) {
    return x.name == y.name && equal(x.value, y.value);
  };
  return std::equal(a.lets.begin(), a.lets.end(), b.lets.begin(), b.lets.end(), same_binding) &&
         std::equal(a.results.begin(), a.results.end(), b.results.begin(), b.results.end(),
                    [](const ExprPtr &x, const ExprPtr &y) { return equal(x, y); });
}

// Printed and parsed, the typed kernel is the same again.
std::optional<std::string> typed_round_trip(const TypedKernel &kernel) {
  std::string text = print(kernel);
  Sources sources;
  auto again = parse(text, sources);
  if (!again)
    return "the typed kernel, printed, does not parse:\n" + all_messages(again.errors(), sources) + text;
  auto typed = check_program(*again);
  if (!typed)
    return "the typed kernel, printed, does not type-check:\n" + all_messages(typed.errors(), sources) + text;
  if (!same(typed->kernels.back(), kernel))
    return "the typed kernel, printed and checked, is another one:\n" + text + "---\n" +
           print(typed->kernels.back());
  return std::nullopt;
}

class Examiner {
public:
  Examiner(std::string kernel, Random random, proofs::Prover &prover, const Options &options)
      : kernel_(std::move(kernel)), random_(random), prover_(prover), options_(options) {}

  Examined run(const std::string &minimal, const std::string &full) {
    Sources sources;
    auto program = parse(minimal, sources);
    if (!program)
      return failed("does not parse:\n" + all_messages(program.errors(), sources));
    if (auto problem = text_round_trip(*program, full))
      return failed(*problem);
    auto typed = check_program(*program);
    if (!typed)
      return failed("does not type-check:\n" + all_messages(typed.errors(), sources));
    auto found = std::find_if(typed->kernels.begin(), typed->kernels.end(),
                              [&](const TypedKernel &k) { return k.name == kernel_; });
    if (found == typed->kernels.end())
      return failed("no kernel of the name " + kernel_);
    const TypedKernel &kernel = *found;
    if (auto problem = typed_round_trip(kernel))
      return failed(*problem);
    padtypes::show_pads(kernel);
    std::optional<lowering::LoopKernel> loops;
    std::vector<TypedKernel> definitions = typed->functions;
    definitions.insert(definitions.end(), typed->kernels.begin(), typed->kernels.end());
    for (const TypedKernel &k : definitions) { // those it calls as well: they hold what it takes for granted
      padtypes::CheckedKernel pads = padtypes::check_pads(k);
      auto lowered = lowering::lower(pads);
      if (!lowered)
        return refused_by_lowering(lowered.errors(), sources);
      collect(k.obligations, language_);
      collect(pads.obligations, language_);
      collect(lowered->obligations, loop_nest_);
      collect(lowering::verify_code(*lowered), loop_nest_);
      if (k.name == kernel.name)
        loops = std::move(*lowered);
    }
    lowering::print(*loops);
    return compare_interpreters(kernel, std::move(*loops));
  }

private:
  static void collect(const std::vector<Obligation> &from, std::vector<Obligation> &into) {
    into.insert(into.end(), from.begin(), from.end());
  }

  static std::optional<std::string> text_round_trip(const Program &program, const std::string &full) {
    Sources sources;
    auto with_parentheses = parse(full, sources);
    if (!with_parentheses)
      return "does not parse with all parentheses:\n" + all_messages(with_parentheses.errors(), sources);
    if (!same(program, *with_parentheses))
      return "means something else with all parentheses:\n" + full + "---\n" + print(*with_parentheses);
    std::string printed = print(program);
    auto again = parse(printed, sources);
    if (!again)
      return "does not parse when printed:\n" + all_messages(again.errors(), sources);
    if (!same(program, *again))
      return "means something else when printed:\n" + printed;
    return std::nullopt;
  }

  static Examined refused_by_lowering(const Diagnostics &errors, const Sources &sources) {
    Examined result;
    bool is_limit = std::all_of(errors.begin(), errors.end(), [](const Diagnostic &d) {
      return d.code == Code::unbounded_temporary || d.code == Code::cannot_unroll;
    });
    result.status = is_limit ? Status::refused : Status::failed;
    result.reason = all_messages(errors, sources);
    return result;
  }

  Examined compare_interpreters(const TypedKernel &kernel, lowering::LoopKernel loops) {
    Examined result;
    if (options_.prove) {
      result = prove();
      if (result.status != Status::accepted)
        return result;
    } else if (auto race = first_race(loops)) {
      return *race;
    }
    for (int n = 0; n < options_.runs; ++n) {
      auto run = draw_run(kernel, random_, size_values);
      if (!run)
        continue;
      if (auto problem = difference(kernel, loops, *run))
        return result.proved ? failed("with " + describe(*run) + ": " + *problem)
                             : suspicious(*run, *problem);
      if (options_.prove)
        if (auto problem = counterexample(loops.obligations, run->sizes, random_))
          return failed("an obligation is proved, but false with " + describe(*run) + ": " + *problem);
      result.runs.push_back(std::move(*run));
    }
    result.loops = std::move(loops);
    return result;
  }

  // Iterations that race compute anything: no run can be compared.
  std::optional<Examined> first_race(const lowering::LoopKernel &loops) {
    Examined result;
    for (const Obligation &o : loops.obligations) {
      if (o.kind != ObligationKind::race)
        continue;
      if (auto problem = decide(o, result))
        return failed(*problem);
      if (result.status != Status::accepted)
        return result;
    }
    return std::nullopt;
  }

  // What both interpreters say; nothing if they agree.
  static std::optional<std::string> difference(const TypedKernel &kernel, const lowering::LoopKernel &loops,
                                               Run &run) {
    try {
      run.outputs = evaluate(kernel, run.sizes, run.inputs);
    } catch (const InternalError &error) {
      return fmt::format("the interpreter fails: {}", error.what());
    }
    try {
      for (auto order : lowering::orders_of(loops)) {
        Tensors from_loops = lowering::run(loops, run.sizes, run.inputs, order);
        for (const auto &[name, tensor] : run.outputs)
          if (!same_bits(tensor, from_loops.at(name)))
            return fmt::format("the loop nest computes another {}{}:\n{}", name,
                               order == lowering::ParallelOrder::backward ? " backward" : "",
                               first_difference(tensor, from_loops.at(name)));
      }
    } catch (const InternalError &error) {
      return fmt::format("the loop interpreter fails: {}", error.what());
    }
    return std::nullopt;
  }

  // A program whose obligations are not proved may go wrong; one whose obligations hold may not.
  Examined suspicious(const Run &run, const std::string &problem) {
    Examined judged = prove();
    if (judged.status != Status::accepted)
      return judged;
    return failed("all obligations are proved, but with " + describe(run) + ": " + problem);
  }

  Examined prove() {
    Examined result;
    for (const auto *obligations : {&language_, &loop_nest_}) {
      for (const Obligation &o : *obligations)
        if (auto problem = decide(o, result))
          return failed(*problem);
      if (result.status == Status::refused && obligations == &loop_nest_ && !refused_for_loops_)
        return failed("the language's obligations hold, but not the loop nest's: " + result.reason);
      if (result.status != Status::accepted) {
        result.reason = (obligations == &language_ ? "language: " : "loop nest: ") + result.reason;
        return result;
      }
    }
    result.proved = true;
    return result;
  }

  std::optional<std::string> decide(const Obligation &o, Examined &result) {
    proofs::Verdict verdict = prover_.decide(o);
    using Decision = proofs::Verdict::Status;
    if (verdict.status == Decision::proved)
      return std::nullopt;
    if (verdict.status == Decision::refuted) {
      if (!is_counterexample(o, verdict.model))
        return fmt::format("the counterexample to \"{}\" is none: {}", o.what, describe(verdict.model));
      if (!proofs::explain(o, verdict))
        return fmt::format("no explanation of the refuted \"{}\"", o.what);
    }
    if (result.status != Status::refused) {
      refused_for_loops_ = // may be the program's fault
          o.kind == ObligationKind::width || o.kind == ObligationKind::race;
      result.status = verdict.status == Decision::refuted ? Status::refused : Status::unknown;
      result.reason =
          fmt::format("{} ({}): {}", code_name(o.code), o.what,
                      verdict.status == Decision::refuted ? describe(verdict.model) : verdict.reason);
    }
    return std::nullopt;
  }

  std::string kernel_;
  Random random_;
  proofs::Prover &prover_;
  Options options_;
  std::vector<Obligation> language_, loop_nest_;
  bool refused_for_loops_ = false;
};

} // namespace

std::string describe(const Run &run) {
  return describe(run.sizes);
}

Examined examine(const std::string &minimal, const std::string &full, const std::string &kernel,
                 Random random, proofs::Prover &prover, const Options &options) {
  try {
    return Examiner(kernel, random, prover, options).run(minimal, full);
  } catch (const std::exception &error) {
    return failed(fmt::format("internal error: {}", error.what()));
  }
}

} // namespace atl::fuzz
