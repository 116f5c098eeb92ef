// What coqc accepted before: the same file, with the same library and the same coqc, is not checked again.
#pragma once
#include "proofs/theorem/coq_check.h"

#include <filesystem>
#include <optional>
#include <string>

namespace atl::proofs::coq {

// A folder with a file for each theorem. It may be deleted at any time, and used by several programs at once.
class Cache {
public:
  // No folder: nothing is kept. `version`: of coqc.
  Cache(std::filesystem::path folder, std::string version, const std::filesystem::path &library);

  // Only what is proved is kept. What is in the folder is compared with the whole text.
  std::optional<Checked> find(const std::string &text) const;
  void keep(const std::string &text, const Checked &checked) const; // or not, if it cannot be written

private:
  std::filesystem::path entry(const std::string &text) const;

  std::filesystem::path folder_;
  std::string version_, library_;
};

// $XDG_CACHE_HOME/atlc, or ~/.cache/atlc; none if neither is known.
std::filesystem::path default_cache();

std::string content_of(const std::filesystem::path &file); // its bytes; none if it cannot be read
std::string digest(const std::string &bytes);              // 32 hexadecimal digits: FNV-1a with 128 bits

} // namespace atl::proofs::coq
