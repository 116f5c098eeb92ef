#include "atl/schedule/hardware_steps.h"

#include <fmt/format.h>

namespace atl::schedule {

void map_all(Arguments &in, rewrites::Work &work) {
  std::string all = in.name();
  in.expect("with");
  Span span = in.span();
  std::string hardware = in.name();
  in.end();
  if (in.failed())
    return;
  if (all != "all")
    return in.fail("only all loops together can be mapped: map all with " + hardware);
  if (work.kernel.hardware)
    return in.fail("the kernel is already mapped to " + work.kernel.hardware->name);
  work.kernel.hardware = MappedTo{hardware, span};
}

void store_in(Arguments &in, rewrites::Work &work) {
  std::string tensor = in.name();
  in.expect("in");
  std::string memory = in.name();
  in.end();
  if (in.failed())
    return;
  if (auto refused = rewrites::place_let(work, tensor, memory))
    in.fail(refused->message, refused->notes);
}

void contract(Arguments &in, rewrites::Work &work) {
  in.end();
  if (in.failed())
    return;
  if (!work.kernel.hardware)
    return in.fail("there are no instructions to contract to; write `map all with HARDWARE` first");
  work.kernel.hardware->contracts = true;
}

} // namespace atl::schedule
