// What a block reads, stores to and needs.
#pragma once
#include "lowering/nest/loop_ir.h"

#include <string>

namespace atl::lowering {

bool stores_to(const Block &block, const std::string &buffer);
bool reads(const Block &block, const std::string &buffer);
int count_stores(const Block &block, const std::string &buffer);
bool has_parallel_loop(const Block &block);

} // namespace atl::lowering
