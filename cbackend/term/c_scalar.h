// Scalar forms of atl/syntax/expr.h to C expressions with exactly the meaning of atl/scalar/scalar.h.
// Comes in: a scalar expression. Goes out: C text. May use: atl, lowering, accel.
#pragma once
#include "atl/syntax/expr.h"
#include "cbackend/term/c_index.h"

#include <map>
#include <string>
#include <vector>

namespace atl::cbackend {

struct CBuffer {
  std::string name; // in C
  Elem elem;
  Shape dims;
  bool is_variable; // a plain C variable or parameter, not a pointer or an array
  std::map<std::vector<std::int64_t>, std::string> registers =
      {}; // of a tensor in registers: their variables
};

struct Prefetched {
  std::string buffer, loop;
  std::int64_t ahead; // iterations of the loop
};

struct Scope : IndexScope {
  std::map<std::string, CBuffer> buffers; // by their names in the program
  std::vector<Prefetched> prefetched = {};
  std::vector<Index> apart = {}; // indices of cells that are computed first
  bool subtracts = false;        // the kernel subtracts floats
};

bool subtracts_floats(const ExprPtr &e);
CText c_scalar(const ExprPtr &e, const Scope &scope, Prelude &prelude);
CText c_stored(const ExprPtr &e, const Scope &scope, Prelude &prelude); // what is stored, or added to a cell
CText c_op(const ScalarOp &op, Elem elem, const std::vector<CText> &operands, Prelude &prelude);
std::string c_element(const std::string &buffer, const std::vector<Index> &indices, const Scope &scope,
                      Prelude &prelude);

} // namespace atl::cbackend
