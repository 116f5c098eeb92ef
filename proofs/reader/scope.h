// What the names of a function's body are: C's own scopes, in which an inner name hides an outer one.
#pragma once
#include "lowering/nest/loop_ir.h"
#include "proofs/reader/arithmetic.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace atl::proofs::reader {

struct Variable {
  enum class Kind {
    index,   // a size or the variable of a loop; name: in the loop nest
    value,   // a scalar, by value
    memory,  // a pointer or an array
    shared,  // a piece of heap memory without a type, for temporaries that take turns
    reg,     // a register; name: the tensor and the place in it
    size,    // of instructions, under a name of its own
    internal // of the checks at entry
  } kind;
  std::string name{};
  const lowering::Buffer *buffer = nullptr; // value, memory: its tensor; none yet for heap memory
  std::string piece{};                      // heap memory: of which it is
  std::size_t loops = 0;                    // around its declaration
  Index stands_for = nullptr;               // size: what it is
};

class Scope {
public:
  Scope() { open(); }
  void open() { names_.emplace_back(); }
  void close() { names_.pop_back(); }
  void declare(const std::string &c_name, Variable variable, std::uint32_t at);
  Variable &at(const std::string &c_name, std::uint32_t place);

private:
  std::vector<std::map<std::string, Variable>> names_;
};

// What surrounds a place of the loop nest.
struct Surroundings {
  std::vector<Pred> known;
  std::vector<std::string> loops;                          // their variables, from outside in
  std::set<std::string> nonnegative;                       // sizes, and variables of loops that start there
  Spans spans;                                             // of the sizes, and of the variables of loops
  std::map<std::string, const lowering::Buffer *> buffers; // by their names in the loop nest
};

} // namespace atl::proofs::reader
