// The theorems of kernels: written as Coq files, and checked by coqc, several at a time.
#pragma once
#include "driver/commands/commands.h"
#include "driver/commands/theorem_scope.h"
#include "driver/pipeline.h"
#include "proofs/theorem/coq_file.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <vector>

namespace atl::driver {

struct TheoremRow {
  std::string name;    // of the kernel, or of the kernel and its schedule: the file is NAME.v
  bool ok = false;     // coqc accepts it
  bool cached = false; // it did before
  std::string result;  // "proved", "not proved", or why there is none
  double seconds = 0;  // that coqc took, when it checked it
  std::vector<std::string> axioms;
  std::optional<TheoremScope> scope; // none if there is no theorem
};

// KERNEL or KERNEL_SCHEDULE, with a number where that is another one's name.
std::string theorem_name(const Compiled &kernel, const std::vector<TheoremRow> &others = {});

// The Coq file of a kernel that is proved; or what there is no form for. Z3 has the time for each question
// that it asks about the order of terms; one that takes longer counts as another order.
std::variant<std::string, proofs::coq::Unsupported>
theorem_text(const Compiled &kernel, const Compilation &c, const std::string &name,
             std::optional<unsigned> timeout_ms = std::nullopt);

// What the text of a theorem says of its kernel, read back from the text alone. Nothing if it is not about
// the kernel: says on standard error how, with places in the file of that name.
std::optional<TheoremScope> read_back(const std::string &text, const std::string &file,
                                      const Compiled &kernel);

// One row for each kernel, in order. An error if coqc or its library is missing,
// or a file cannot be written.
Result<std::vector<TheoremRow>> prove_theorems(const std::vector<const Compiled *> &kernels,
                                               const Compilation &c, const ProveOptions &options);

std::string table(const std::vector<TheoremRow> &rows, const Style &style);
nlohmann::ordered_json to_json(const TheoremRow &row);

} // namespace atl::driver
