// What a block reads, stores to and needs.
#pragma once
#include "lowering/loop_ir.h"

#include <string>

namespace atl::cbackend {

bool reads(const lowering::Block &block, const std::string &buffer);
int count_stores(const lowering::Block &block, const std::string &buffer);
bool has_parallel_loop(const lowering::Block &block);

} // namespace atl::cbackend
