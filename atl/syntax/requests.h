// What a schedule asks of the hardware that it maps the kernel to (`map all with NAME`). Made by
// atl/schedule; nothing here changes what is computed. Tensors and loops are called by the names that they
// have when all steps are done.
#pragma once
#include "atl/base/source.h"

#include <cstdint>
#include <string>
#include <vector>

namespace atl {

struct Requests {
  std::string hardware;
  Span span;
  bool contracts = false; // a * b + c may be rounded once

  // Of temporaries in memories that are made of rows.
  struct Pipelined {
    std::string tensor, loop; // no loop: all at once
    std::string from;         // the loops from this one on count as one
    Span span;
  };
  struct Drained {
    std::string tensor, loop;
    std::string from; // the loops from this one on count as one, in whose next iteration it is stored
    Span span;
  };
  // What is added to a sum becomes a term of it.
  enum class Term { first, last };
  struct Taken {
    std::string tensor;
    Term term;
    Span span;
  };
  struct OnCpu {
    std::string tensor;
    Span span;
  };
  std::vector<Pipelined> pipelined = {};
  std::vector<Drained> drained = {};
  std::vector<Taken> taken = {};
  std::vector<OnCpu> on_cpu = {};

  // What loops of this name will read of a tensor so many iterations later is fetched into the caches.
  struct Prefetch {
    std::string tensor, loop;
    std::int64_t ahead; // iterations
    Span span;
  };
  std::vector<Prefetch> prefetches = {};

  // What ends each vectorized loop of this name: the instruction that stores, or gives what is kept in a
  // register.
  struct Last {
    std::string loop, instruction;
    Span span;
  };
  std::vector<Last> last = {};
};

std::string print(const Requests &requests); // a comment, of a line for each

} // namespace atl
