#include "driver/commands/theorems.h"

#include "atl/base/workers.h"
#include "atl/equality/agreement.h"
#include "atl/equality/laws.h"
#include "driver/commands/report.h"
#include "driver/console.h"
#include "driver/in_time.h"
#include "driver/io/files.h"
#include "driver/io/shared_files.h"
#include "driver/progress.h"
#include "proofs/reader/coq/theorem.h"
#include "proofs/report.h"
#include "proofs/theorem/coq_cache.h"
#include "proofs/theorem/coq_check.h"
#include "proofs/theorem/coq_failure.h"
#include "proofs/theorem/coq_library.h"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace atl::driver {

namespace {

namespace fs = std::filesystem;

Result<proofs::coq::CompiledLibrary> compiled_library(const fs::path &cache, const std::string &version) {
  Count count;
  const Progress progress([&](double seconds) {
    return fmt::format("coq: {} of {} files of the library{}", count.done.load(), count.all.load(),
                       time_left(count, seconds));
  });
  auto tell = [&](std::size_t done, std::size_t all) {
    if (done == 1 && !is_quiet() && !shows_progress())
      fmt::print(stderr, "coq: the library is compiled, for the first time only: {} files\n", all);
    count.all = all;
    count.done = done;
  };
  return proofs::coq::compiled_library(shared_files() / "coq", cache, version, tell);
}

// What --coq-library names; else what scripts/coq has compiled in a build folder; else what is compiled now.
Result<proofs::coq::CompiledLibrary> library_for(const ProveOptions &options, const fs::path &cache,
                                                 const std::string &version) {
  const fs::path of_build_folder = program_folder() / "coq";
  std::error_code error;
  if (!options.coq_library.empty())
    return proofs::coq::given_library(options.coq_library);
  if (fs::exists(of_build_folder / "Exported.vo", error))
    return proofs::coq::given_library(of_build_folder);
  return compiled_library(cache, version);
}

struct Job {
  fs::path file;
  std::string text;
  std::string place; // of the kernel in the program
  TheoremRow *row;
};

// What coqc did not prove, and what that means for the rest.
std::string explain_failure(const Job &job, const std::string &problem) {
  const auto lemma = proofs::coq::unproved_lemma(job.text, problem);
  if (!lemma)
    return problem;
  return fmt::format("the lemma {} ({}: {})\n{}"
                     "  What Z3 proved and what was read back stand: only the theorem is missing.\n{}",
                     lemma->name, job.place, lemma->about,
                     lemma->claim.empty() ? "" : fmt::format("  found no proof of: {}\n", lemma->claim),
                     problem);
}

// All but those of instructions, which are no part of the loop nest.
std::vector<proofs::coq::NamedObligation> obligations_of(const Compiled &kernel, const Compilation &c) {
  using enum ObligationKind;
  std::vector<Obligation> all;
  for (const Decided &d : kernel.decided)
    all.push_back(d.obligation);
  std::vector<std::string> ids = proofs::obligation_ids(all);
  std::vector<proofs::coq::NamedObligation> result;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const Obligation &o = kernel.decided[i].obligation;
    if (o.kind != instr)
      result.push_back({ids[i].substr(o.kernel.size() + 1), c.sources.where(o.span), &o});
  }
  return result;
}

// Writes the file of a theorem; says in the row why there is none.
std::optional<Diagnostic> write_theorem(const Compiled &kernel, const Compilation &c, const fs::path &folder,
                                        std::optional<unsigned> timeout_ms, std::vector<Job> &jobs,
                                        TheoremRow &row) {
  if (!kernel.proved) {
    row.result = "the obligations are not proved";
    return std::nullopt;
  }
  std::variant<std::string, proofs::coq::Unsupported> text;
  auto in_this_time = [&](const std::string &what, const auto &work) {
    return in_time(timeout_ms, what + row.name, kernel.algorithm.span, work);
  };
  if (auto late = in_this_time("writing the theorem of ",
                               [&] { text = theorem_text(kernel, c, row.name, timeout_ms); }))
    return late;
  if (auto *problem = std::get_if<proofs::coq::Unsupported>(&text)) {
    row.result = "not covered: " + problem->what;
    return std::nullopt;
  }
  const Job job{folder / (row.name + ".v"), std::get<std::string>(text),
                c.sources.where(kernel.algorithm.span), &row};
  if (auto late = in_this_time("reading back the theorem of ",
                               [&] { row.scope = read_back(job.text, job.file.string(), kernel); }))
    return late;
  if (row.scope)
    jobs.push_back(job);
  else
    row.result = "the file is not about the kernel";
  return write_file(job.file, job.text);
}

class Checking {
public:
  Checking(std::vector<Job> jobs, fs::path library, std::optional<unsigned> limit, proofs::coq::Cache cache)
      : jobs_(std::move(jobs)), results_(jobs_.size(), proofs::coq::Checked()), library_(std::move(library)),
        limit_(limit), cache_(std::move(cache)) {}

  // An error if coqc could not be run. Says on standard error why a theorem is not proved.
  std::optional<Diagnostic> run() {
    check_all();
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      if (!results_[i])
        return results_[i].errors()[0];
      const TheoremRow &row = *jobs_[i].row;
      if (!row.ok)
        fmt::print(stderr, "coq: {}, {:.1f} s: not proved: {}\n", row.name, row.seconds,
                   explain_failure(jobs_[i], results_[i]->problem));
      else
        detail("coq: {}, {:.1f} s{}\n", row.name, row.seconds, row.cached ? ", cached" : "");
    }
    return std::nullopt;
  }

private:
  void check_all() {
    Count count;
    count.all = jobs_.size();
    const Progress progress([&](double seconds) {
      return fmt::format("coq: {} of {} theorems{}", count.done.load(), count.all.load(),
                         time_left(count, seconds));
    });
    for_each_number(jobs_.size(), [&](std::size_t i) {
      results_[i] = check(jobs_[i]);
      ++count.done;
    });
  }

  Result<proofs::coq::Checked> check(const Job &job) {
    auto before = cache_.find(job.text);
    auto checked = before ? Result(*before) : proofs::coq::check(job.file, library_, limit_);
    if (!checked)
      return checked;
    if (!before)
      cache_.keep(job.text, *checked);
    TheoremRow &row = *job.row;
    row.ok = checked->proved;
    row.cached = before.has_value();
    row.result = checked->proved ? "proved" : "not proved";
    row.seconds = checked->seconds;
    row.axioms = checked->axioms;
    return checked;
  }

  std::vector<Job> jobs_;
  std::vector<Result<proofs::coq::Checked>> results_;
  fs::path library_;
  std::optional<unsigned> limit_;
  proofs::coq::Cache cache_;
};

} // namespace

std::string theorem_name(const Compiled &kernel, const std::vector<TheoremRow> &others) {
  std::string whole = kernel.schedule.empty() ? kernel.name : kernel.name + "_" + kernel.schedule;
  std::string name = whole;
  auto is_taken = [&](const TheoremRow &row) { return row.name == name; };
  for (int n = 2; std::any_of(others.begin(), others.end(), is_taken); ++n)
    name = fmt::format("{}_{}", whole, n);
  return name;
}

std::variant<std::string, proofs::coq::Unsupported> theorem_text(const Compiled &kernel, const Compilation &c,
                                                                 const std::string &name,
                                                                 std::optional<unsigned> timeout_ms) {
  proofs::Prover prover(timeout_ms);
  auto proves = [&](const Obligation &o) { return prover.proves(o); };
  std::vector<proofs::coq::Version> versions;
  for (std::size_t i = 0; i < kernel.versions.size(); ++i) {
    const schedule::Version &version = kernel.versions[i];
    std::vector<equality::Renumbered> renumbered;
    if (!kernel.schedule.empty())
      renumbered = equality::in_order(kernel.equalities[i], proves);
    versions.push_back({version.when, version.kernel, kernel.lowered[i].normal.kernel, version.prophecies,
                        std::move(renumbered)});
  }
  return proofs::coq::file({name, kernel.algorithm, std::move(versions), *kernel.loops, kernel.example,
                            obligations_of(kernel, c), kernel.used});
}

std::optional<TheoremScope> read_back(const std::string &text, const std::string &file,
                                      const Compiled &kernel) {
  Sources sources;
  const std::uint32_t number = sources.add({file, text});
  auto laws = proofs::reader::read_theorem(text, {kernel.algorithm, *kernel.loops, kernel.example}, number);
  if (laws)
    return TheoremScope{std::move(*laws), kernel.loops->hardware ? kernel.loops->hardware->name : ""};
  print_diagnostics(laws.errors(), sources);
  return std::nullopt;
}

Result<std::vector<TheoremRow>> prove_theorems(const std::vector<const Compiled *> &kernels,
                                               const Compilation &c, const ProveOptions &options) {
  auto version = proofs::coq::find_prover();
  if (!version)
    return version.errors();
  const fs::path cache = options.cache ? fs::path(*options.cache) : proofs::coq::default_cache();
  auto library = library_for(options, cache, *version);
  if (!library)
    return library.errors();
  std::vector<TheoremRow> rows(kernels.size());
  std::vector<Job> jobs;
  for (std::size_t i = 0; i < kernels.size(); ++i)
    rows[i].name = theorem_name(*kernels[i], rows);
  for (std::size_t i = 0; i < kernels.size(); ++i)
    if (auto error = write_theorem(*kernels[i], c, options.folder, options.timeout_ms, jobs, rows[i]))
      return *error;
  proofs::coq::Cache proved(cache.empty() ? cache : cache / "theorems", *version, library->folder);
  Checking checking(std::move(jobs), library->folder, options.coq_timeout, std::move(proved));
  if (auto error = checking.run())
    return *error;
  return rows;
}

// What a theorem that is proved promises: what it assumes, how equal the results are, and which loops compute
// them.
static std::string promise(const TheoremRow &row) {
  const std::string axioms =
      row.axioms.empty() ? ", no axioms" : fmt::format(", assuming {}", fmt::join(row.axioms, "; "));
  return fmt::format("{}; {}; {}", axioms, row.scope->agreement(), row.scope->covers());
}

std::string table(const std::vector<TheoremRow> &rows, const Style &style) {
  std::size_t width = std::string_view("theorem").size(), proved = 0;
  for (const TheoremRow &row : rows)
    width = std::max(width, row.name.size());
  std::string text = fmt::format("{:<{}}  {:>7}  result\n", "theorem", width, "seconds");
  for (const TheoremRow &row : rows) {
    proved += row.ok;
    text += fmt::format("{:<{}}  {:>7.1f}  {}{}{}\n", row.name, width, row.seconds,
                        style(row.ok ? Mark::good : Mark::bad, row.result), row.cached ? ", cached" : "",
                        row.ok ? promise(row) : "");
  }
  return text + fmt::format("{} theorems: {} proved by coqc\n", rows.size(), proved);
}

nlohmann::ordered_json to_json(const TheoremRow &row) {
  nlohmann::ordered_json all = {{"ok", row.ok},
                                {"result", row.result},
                                {"seconds", row.seconds},
                                {"cached", row.cached},
                                {"axioms", row.axioms}};
  if (row.scope) {
    all["laws"] = row.scope->laws;
    all["agreement"] = row.scope->agreement();
    all["covers"] = row.scope->covers();
  }
  return all;
}

} // namespace atl::driver
