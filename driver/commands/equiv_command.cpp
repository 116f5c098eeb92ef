#include "driver/commands/commands.h"

#include "atl/equality/agreement.h"
#include "atl/syntax/path.h"
#include "atl/syntax/print.h"
#include "driver/commands/report.h"
#include "driver/commands/selection.h"
#include "driver/confirm.h"
#include "driver/console.h"
#include "driver/in_time.h"

#include <fmt/format.h>

#include <algorithm>

namespace atl::driver {

namespace {

std::string parameters_of(const TypedKernel &kernel) {
  std::string text;
  for (const Param &p : kernel.params)
    text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", p.name,
                        p.kind == Param::Kind::size ? "size" : print(p.type));
  for (const Output &o : kernel.outputs)
    text += " -> " + print(o.type);
  return text;
}

const Compiled *find_kernel(const Compilation &c, const std::string &name) {
  auto found = std::find_if(c.kernels.begin(), c.kernels.end(),
                            [&](const Compiled &k) { return k.name == name && k.schedule.empty(); });
  return found == c.kernels.end() ? nullptr : &*found;
}

// Outermost temporaries with the same name and rank are taken to be the same tensor; that they are is proved.
equality::Prophecies same_names(const TypedKernel &a, const TypedKernel &b) {
  equality::Prophecies prophecies;
  for (const Binding &let : b.lets)
    for (const Binding &other : a.lets)
      if (other.name == let.name && other.value->type->shape.size() == let.value->type->shape.size())
        prophecies[let.name] = equality::itself(let.name, let.value->type->shape.size());
  return prophecies;
}

// Whether any sizes satisfy all assumptions: some of the examples, or others.
bool are_allowed(const std::vector<Pred> &assumptions, const std::vector<Valuation> &examples,
                 proofs::Prover &prover) {
  std::vector<std::string> sizes;
  for (const auto &[size, value] : examples[0])
    sizes.push_back(size);
  auto satisfies_all = [&](const Valuation &values) {
    return std::all_of(assumptions.begin(), assumptions.end(),
                       [&](const Pred &p) { return evaluate(p, values).value_or(false); });
  };
  return std::any_of(examples.begin(), examples.end(), satisfies_all) ||
         prover.satisfiable(assumptions, sizes).answer == proofs::Satisfiability::Answer::yes;
}

struct Verdicts {
  std::vector<Diagnostic> problems;
  std::size_t proved = 0;
  std::vector<std::string> laws;
};

Verdicts decide(const TypedKernel &a, const TypedKernel &b, const equality::Prophecies &prophecies,
                proofs::Prover &prover) {
  Verdicts result;
  equality::Equality equality;
  if (auto late = in_time(prover.timeout_ms(), fmt::format("comparing {} with {}", a.name, b.name), b.span,
                          [&] { equality = equality::equal_obligations(a, b, prophecies, b.span); }))
    return {{*late}, 0, {}};
  const std::vector<proofs::Verdict> verdicts = prover.decide_all(equality.obligations);
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    const Obligation &o = equality.obligations[i];
    auto problem = proofs::explain(o, confirmed(o, verdicts[i], a, b));
    result.proved += !problem;
    if (problem)
      result.problems.push_back(*problem);
  }
  equality::note_laws(
      equality, [&](const Obligation &o) { return prover.proves(o); }, result.laws);
  return result;
}

} // namespace

int equiv_command(const EquivOptions &options) {
  proofs::Prover prover(options.timeout_ms);
  Compilation c = compile(options.file, prover, Until::written, {}, options.import_folders);
  print_diagnostics(c.diagnostics, c.sources);
  if (!c.ok())
    return exit_wrong;
  std::vector<TypedKernel> kernels;
  std::vector<Valuation> examples;
  for (const std::string &name : {options.first, options.second}) {
    const Compiled *kernel = find_kernel(c, name);
    if (!kernel) {
      auto chosen = choose(c, {{name}, "none"});
      return fail(chosen.errors()[0]);
    }
    kernels.push_back(kernel->algorithm);
    examples.push_back(kernel->example);
    make_lets_unique(kernels.back()); // a name then means one temporary
  }
  TypedKernel &a = kernels[0], &b = kernels[1];
  if (parameters_of(a) != parameters_of(b))
    return fail({Code::bad_argument,
                 std::nullopt,
                 fmt::format("{} and {} have different parameters or results", a.name, b.name),
                 {{std::nullopt, a.name + ": " + parameters_of(a)},
                  {std::nullopt, b.name + ": " + parameters_of(b)}}});
  b.assumptions.insert(b.assumptions.end(), a.assumptions.begin(), a.assumptions.end());
  if (!are_allowed(b.assumptions, examples, prover)) {
    print_diagnostics({{Code::contradictory_where,
                        b.span,
                        fmt::format("no sizes are known that both {} and {} allow", a.name, b.name),
                        {}}},
                      c.sources);
    return exit_wrong;
  }
  Verdicts found = decide(a, b, same_names(a, b), prover);
  if (!found.problems.empty()) // the guess about temporaries may be wrong
    if (Verdicts inlined = decide(a, b, {}, prover); inlined.problems.size() <= found.problems.size())
      found = inlined;
  print_diagnostics(found.problems, c.sources);
  if (!found.problems.empty())
    return exit_wrong;
  summarize("{} and {} are equal, {}: {} obligations proved\n", a.name, b.name,
            equality::agreement(found.laws), found.proved);
  return exit_fine;
}

} // namespace atl::driver
