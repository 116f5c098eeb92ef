// C code compiled with the flags of a library and loaded into this process.
#pragma once
#include "bench/row.h"
#include "cbackend/host/temp_folder.h"
#include "driver/pipeline.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace atl::bench {

// Kernels under the schedules that atlc makes for each CPU.
driver::Choice under_automatic_schedules(std::vector<std::string> kernels);

// Kernels under schedules of the examples, or under those that atlc makes.
driver::Choice chosen(const Options &options, std::vector<std::string> kernels, const std::string &by_hand);

// Failures throw std::runtime_error: a benchmark that cannot run has no result.
class SharedObject {
public:
  using Flags = std::vector<std::string>; // for the C compiler, besides those of `atlc build`
  static Flags for_this_cpu() { return {"-march=native"}; }

  // A program through all stages. Of its kernels those chosen; under several schedules, each is one function,
  // which runs the first whose instructions the CPU has.
  static SharedObject from_program(const std::filesystem::path &program, const driver::Choice &choice = {},
                                   const Flags &flags = {});
  // examples/NAME/NAME.atl
  static SharedObject from_example(const std::string &name, const driver::Choice &choice = {},
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
