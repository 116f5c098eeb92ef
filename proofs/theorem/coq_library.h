// The compiled Coq library that theorems are checked against. It comes as sources, because a compiled library
// serves one version of coqc only: it is compiled when it is first needed, and kept.
#pragma once
#include "atl/base/result.h"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

namespace atl::proofs::coq {

struct CompiledLibrary {
  std::filesystem::path folder;
  std::shared_ptr<const void> holder; // of a folder that vanishes with it
};

// After each file: how many are compiled, of how many. Called from several threads, one at a time.
using Progress = std::function<void(std::size_t done, std::size_t all)>;

// A folder that was compiled before; E8007 if it was not.
Result<CompiledLibrary> given_library(const std::filesystem::path &folder);

// The sources, compiled by the coqc of this version into a folder in `cache`, unless they are there already.
// An empty `cache` keeps nothing. Several programs may do so at once. E8008 if a file does not compile.
Result<CompiledLibrary> compiled_library(const std::filesystem::path &sources,
                                         const std::filesystem::path &cache, const std::string &version,
                                         const Progress &progress);

} // namespace atl::proofs::coq
