// C code compiled with the flags of a library and loaded into this process.
#pragma once
#include "cbackend/temp_folder.h"

#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace atl::bench {

// Failures throw std::runtime_error: a benchmark that cannot run has no result.
class SharedObject {
public:
  using Flags = std::vector<std::string>; // for the C compiler, besides those of `atlc build`
  static Flags for_this_cpu() { return {"-march=native"}; }

  // examples/NAME/NAME.atl through all stages; of its functions these, or all if none is named.
  static SharedObject from_example(const std::string &name, const std::set<std::string> &functions = {},
                                   const Flags &flags = {});
  static SharedObject from_c(const std::filesystem::path &source, const Flags &flags = {});

  template <class Signature>
  Signature *function(const std::string &name) const {
    return reinterpret_cast<Signature *>(address(name));
  }

private:
  explicit SharedObject(std::shared_ptr<void> handle) : handle_(std::move(handle)) {}
  void *address(const std::string &name) const;
  std::shared_ptr<void> handle_;
};

} // namespace atl::bench
