// Which buffers a block reads and stores to.
#pragma once
#include "lowering/loop_ir.h"

#include <string>

namespace atl::cbackend {

bool reads(const lowering::Block &block, const std::string &buffer);
int count_stores(const lowering::Block &block, const std::string &buffer);

} // namespace atl::cbackend
