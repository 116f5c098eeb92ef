// proof-layers PROGRAM KERNEL SCHEDULE COQ_LIBRARY FOLDER: who refuses the kernel, each layer asked alone, as
// JSON. Exit code 1: the kernel has no loop nest, and why is said on standard error; 70: a check of the
// compiler failed.
#include "tests/proofs/layers/layers.h"

#include "atl/base/check.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <stdexcept>

int main(int argc, char **argv) {
  if (argc != 6)
    return 2;
  try {
    const nlohmann::json all = atl::layers::refusals({argv[1], argv[2], argv[3], argv[4], argv[5]});
    fmt::print("{}\n", all.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    return 0;
  } catch (const atl::InternalError &error) {
    fmt::print(stderr, "{}\n", error.what());
    return 70;
  } catch (const std::runtime_error &error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
