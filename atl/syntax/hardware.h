// Descriptions of hardware as data: memories, instructions with their meanings, configurations. The text is
// described in docs/hardware.md.
#pragma once
#include "atl/syntax/kernel.h"

#include <array>
#include <map>
#include <string_view>

namespace atl {

// A memory of a hardware description: a register holds a vector of one of the element types, and is a C
// variable of the type given for it. Or it is made of rows, which the compiler hands out: an address counts
// rows.
struct Memory {
  struct Rows {
    std::int64_t width; // elements
    std::int64_t first; // the address of the first row
    std::int64_t bank;  // rows of a bank, which does one thing at a time; as many as there are if it is one
  };
  std::string name;
  Span span;
  std::int64_t registers; // or rows
  std::map<Elem, std::string> c_types;
  std::optional<Rows> rows = {};
};

// State of the hardware, and the C that sets all of it.
struct Configuration {
  std::string name;
  Span span;
  std::vector<Param> params; // sizes and scalars
  std::string c;
};

// What an instruction needs of a configuration: numbers, its parameters, or what depends on where an operand
// lies: `x.stride`, the bytes from a row of x to the next, and `x.block`, the rows from a block of columns
// to the next.
struct Need {
  std::string configuration;
  Span span;
  std::vector<std::variant<std::int64_t, std::string>> values;
};

// An instruction: what it computes, as a kernel, and how it is written in C. A parameter or result in a
// register memory is the value of one register; other tensors are in plain memory, one element after the
// other.
struct Instruction {
  Kernel meaning;
  std::vector<std::string> memories; // of the parameters; empty: plain
  std::string result_memory;
  std::string
      c; // an expression for a register, a statement otherwise; {NAME}: a parameter, {out}: the result
  bool adds = false;      // the result is added to what is there
  bool unordered = false; // may be done before or after others of this kind, also on the same rows
  std::map<std::string, std::int64_t> aligned =
      {}; // what lies in plain memory, `out` too: at a multiple of so many bytes
  std::vector<Need> needs = {};
  std::vector<std::string> clobbers = {}; // memories and configurations that it leaves not as they were
};

// What vector instructions cost where a core does nothing else, and what it has for itself. Schedules are
// chosen by it; nothing that is proved depends on it.
struct CostInfo {
  std::string_view name;
  std::int64_t by_default;
  std::string_view unit, meaning;
};
inline constexpr std::string_view cycles = "hundredths of a cycle";
inline constexpr std::array<CostInfo, 6> all_costs{
    {{"operation", 50, cycles, "an addition, a product, or both of them in one instruction"},
     {"load", 50, cycles, "to load a vector, or one number into all lanes of one"},
     {"broadcast", 0, cycles, "one number in all lanes, besides loading it, if several instructions use it"},
     {"latency", 400, cycles, "until the result of an operation can be used"},
     {"l1", 32, "KiB", "the cache next to a core"},
     {"cache", 2048, "KiB", "the largest cache that a core has for itself"}}};

const CostInfo *find_cost(std::string_view name); // null: there is none of this name
std::string names_of_costs();                     // operation, load, ...

// A description of hardware (docs/hardware.md).
struct Hardware {
  std::string name;
  Span span;
  std::string header;    // to include, "immintrin.h"
  std::string available; // a condition for the C preprocessor: where the instructions can be compiled
  std::vector<std::string> features; // of the CPU, as C compilers call them
  std::vector<Memory> memories;
  std::vector<Instruction> instructions;
  std::vector<Configuration> configurations = {};
  std::string begin = {}, finish = {}; // C around the instructions of a kernel
  std::string prefetch = {};           // C that prefetches the cells at {address} into the caches, or nothing
  std::map<std::string, std::int64_t> costs = {}; // of those that are not as by default
  std::size_t inherited = 0; // so many of the instructions, the first ones, are of another description

  const Memory *find_memory(const std::string &memory) const;
  std::int64_t cost(std::string_view which) const;
  bool has_rows() const; // its instructions work on blocks of rows, not on registers
};

} // namespace atl
