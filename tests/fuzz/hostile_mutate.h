// A program with a few random changes: mostly ones that leave it almost right, so that many get far.
#pragma once
#include "fuzz/hostile_corpus.h"

namespace atl::fuzz {

std::string hostile_input(const Corpus &corpus, Random &random);

} // namespace atl::fuzz
