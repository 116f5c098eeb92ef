#include "proofs/theorem/coq_check.h"

#include "cbackend/host/process.h"
#include "cbackend/host/temp_folder.h"

#include <chrono>
#include <cstdio>
#include <fmt/format.h>
#include <sstream>

namespace atl::proofs::coq {

namespace fs = std::filesystem;
using namespace cbackend;

namespace {

constexpr int least_major = 8, least_minor = 16;

// By itself Coq takes 256 MB for what is young, which is more than the caches hold: a fifth slower.
constexpr const char *memory_of_coq = "OCAMLRUNPARAM=s=1M,o=400";

// What `Print Assumptions` says: a line without indentation for each axiom.
std::vector<std::string> axioms_in(const std::string &output) {
  std::vector<std::string> axioms;
  std::istringstream lines(output);
  bool begun = false;
  for (std::string line; std::getline(lines, line);) {
    if (begun && !line.empty() && line[0] != ' ')
      axioms.push_back(line);
    begun = begun || line.rfind("Axioms:", 0) == 0;
  }
  return axioms;
}

} // namespace

Result<std::string> find_prover() {
  auto version = run_successfully({"coqc", "--print-version"});
  if (!version) {
    Diagnostic problem = version.errors()[0];
    problem.notes.push_back({std::nullopt, "install Coq 8.16 or later; on Debian the package is coq"});
    return problem;
  }
  int major = 0, minor = 0;
  bool read = std::sscanf(version->output.c_str(), "%d.%d", &major, &minor) == 2;
  if (!read || major < least_major || (major == least_major && minor < least_minor))
    return Diagnostic{Code::missing_tool,
                      std::nullopt,
                      fmt::format("coqc is version {}, and {}.{} is needed",
                                  version->output.substr(0, version->output.find(' ')), least_major,
                                  least_minor),
                      {}};
  return version->output;
}

Result<Checked> check(const fs::path &file, const fs::path &library, std::optional<unsigned> limit) {
  auto folder = TempFolder::create(fs::temp_directory_path());
  if (!folder)
    return folder.errors();
  auto begin = std::chrono::steady_clock::now();
  auto outcome =
      run_program({"timeout", std::to_string(limit.value_or(0)), "env", memory_of_coq, "coqc", "-noglob",
                   "-Q", library.string(), "ATL", "-o",
                   (folder->path() / file.filename()).replace_extension(".vo").string(), file.string()});
  if (!outcome)
    return outcome.errors();
  std::error_code ignored;
  fs::remove(file.parent_path() / ("." + file.stem().string() + ".aux"), ignored);
  Checked result;
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  result.proved = outcome->status == 0;
  if (limit && outcome->status == 124)
    result.problem = fmt::format("coqc did not end within the {} s of --coq-timeout", *limit);
  else if (!result.proved)
    result.problem =
        outcome->output.empty() ? fmt::format("coqc ended with status {}", outcome->status) : outcome->output;
  else
    result.axioms = axioms_in(outcome->output);
  return result;
}

} // namespace atl::proofs::coq
