#include "driver/pipeline.h"

#include "atl/parse/parse.h"
#include "driver/files.h"
#include "lowering/lower.h"

#include <algorithm>
#include <chrono>
#include <tuple>

namespace atl::driver {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

std::optional<Program> parse(const fs::path &file, Compilation &c) {
  auto text = read_file(file);
  if (!text) {
    c.diagnostics = text.errors();
    return std::nullopt;
  }
  std::uint32_t id = c.sources.add({file.string(), *text});
  auto read_import = [](const std::string &path) -> std::optional<std::string> {
    auto imported = read_file(path);
    return imported ? std::optional(*imported) : std::nullopt;
  };
  auto program = parse_program(c.sources, id, read_import);
  if (program)
    return *program;
  c.diagnostics = program.errors();
  return std::nullopt;
}

// True if all are proved; each that is not becomes a diagnostic, one per place and code.
bool discharge(const std::vector<Obligation> &obligations, proofs::Prover &prover, CompiledKernel &kernel,
               Diagnostics &diagnostics) {
  bool all = true;
  for (const Obligation &obligation : obligations) {
    kernel.decided.push_back({obligation, prover.decide(obligation)});
    auto problem = proofs::explain(obligation, kernel.decided.back().verdict);
    if (!problem)
      continue;
    all = false;
    bool told = std::any_of(diagnostics.begin(), diagnostics.end(), [&](const Diagnostic &d) {
      bool same_mistake = d.code == problem->code || problem->code == Code::obligation_unknown;
      return same_mistake && d.span && problem->span && d.span->file == problem->span->file &&
             d.span->begin == problem->span->begin && d.span->end == problem->span->end;
    });
    if (!told)
      diagnostics.push_back(std::move(*problem));
  }
  return all;
}

void sort_by_place(Diagnostics &diagnostics) {
  auto place = [](const Diagnostic &d) {
    return d.span ? std::tuple(true, d.span->file, d.span->begin) : std::tuple(false, 0U, 0U);
  };
  std::stable_sort(diagnostics.begin(), diagnostics.end(),
                   [&](const Diagnostic &a, const Diagnostic &b) { return place(a) < place(b); });
}

// Sizes that the where clause allows must exist, or every obligation would hold for nothing.
bool where_is_satisfiable(const TypedKernel &kernel, proofs::Prover &prover, Diagnostics &diagnostics) {
  if (kernel.where.empty() ||
      prover.satisfiable(kernel.assumptions, kernel.size_names()) != proofs::Satisfiable::no)
    return true;
  diagnostics.push_back({Code::contradictory_where,
                         kernel.where[0].span,
                         "no sizes satisfy the where clause of " + kernel.name,
                         {}});
  return false;
}

void prove(CompiledKernel &kernel, proofs::Prover &prover, Diagnostics &diagnostics) {
  if (!where_is_satisfiable(kernel.typed, prover, diagnostics) ||
      !discharge(kernel.typed.obligations, prover, kernel, diagnostics) ||
      !discharge(kernel.pads->obligations, prover, kernel, diagnostics))
    return;
  auto loops = lowering::lower(*kernel.pads);
  if (!loops) {
    diagnostics.insert(diagnostics.end(), loops.errors().begin(), loops.errors().end());
    return;
  }
  kernel.loops = std::move(*loops);
  kernel.proved = discharge(kernel.loops->obligations, prover, kernel, diagnostics);
}

} // namespace

Compilation compile(const fs::path &file, proofs::Prover &prover, Until until) {
  Clock::time_point start = Clock::now();
  Compilation c;
  c.program = parse(file, c);
  if (!c.program || until == Until::parsed)
    return c;
  auto typed = check_program(*c.program);
  if (!typed) {
    c.diagnostics = typed.errors();
    sort_by_place(c.diagnostics);
    return c;
  }
  for (TypedKernel &kernel : *typed) {
    CompiledKernel compiled{kernel, {}, padtypes::check_pads(kernel), std::nullopt, false};
    c.kernels.push_back(std::move(compiled));
  }
  c.front_ms = ms_since(start);
  if (until == Until::proved)
    for (CompiledKernel &kernel : c.kernels)
      prove(kernel, prover, c.diagnostics);
  sort_by_place(c.diagnostics);
  c.total_ms = ms_since(start);
  return c;
}

} // namespace atl::driver
