// The tables and plots of the documents, made from the results in bench/results.
#pragma once
#include <filesystem>

namespace atl::bench {

struct ReportFolders {
  std::filesystem::path root = ATLC_SOURCE_ROOT; // README.md, docs/*.md
  std::filesystem::path results = root / "bench/results";
  std::filesystem::path output = root; // gets pages and docs/plots/*.svg
};

// Replaces what is between `<!-- results: SUITE [PREFIX] -->` and `<!-- end of results -->` in README.md and
// docs/*.md: a table of each result file that has cases of this suite whose names begin with PREFIX. False if
// a file could not be written; what is wrong in a file is a std::runtime_error.
bool write_report(const ReportFolders &folders);

} // namespace atl::bench
