// Pointers that C may form: of an instruction that touches some elements only, or none, the first element is
// in its tensor or just behind its end all the same.
#pragma once
#include "atl/index/facts.h"
#include "lowering/nest/loop_ir.h"

#include <map>
#include <memory>
#include <string>

namespace atl::accel {

// The same call: indices that may be too large are minima, where nothing is touched if they are too large.
std::shared_ptr<const lowering::LaneCall>
with_addresses_inside(const lowering::LaneCall &call, const Facts &facts,
                      const std::map<std::string, lowering::Buffer> &buffers);

} // namespace atl::accel
