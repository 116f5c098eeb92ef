// The beginning of an emitted function: what it refuses, and the heap memory that it allocates.
#pragma once
#include "proofs/reader/arithmetic.h"
#include "proofs/reader/c/parse_c.h"
#include "proofs/reader/region.h"
#include "proofs/reader/scope.h"

#include <optional>
#include <string>
#include <vector>

namespace atl::proofs::reader {

// Statements of one pair of braces, read one after the other.
class Statements {
public:
  Statements(const std::vector<CStmt> &all, std::uint32_t end) : all_(all), end_(end) {}
  const CStmt *peek(std::size_t ahead = 0) const {
    return next_ + ahead < all_.size() ? &all_[next_ + ahead] : nullptr;
  }
  const CStmt *peek(CStmt::Kind kind) const { return peek() && peek()->kind == kind ? peek() : nullptr; }
  void skip() { ++next_; }
  void skip_to(const Cursor &behind) { // what was read by its tokens
    while (peek() && peek()->first_token < behind.position())
      skip();
    if (peek() ? peek()->first_token != behind.position() : !behind.sees("}"))
      fail("a statement ends elsewhere");
  }
  std::uint32_t at() const { return peek() ? peek()->at : end_; }
  [[noreturn]] void fail(const std::string &what) const { throw Difference(at(), what); }
  void expect_end() const {
    if (peek())
      fail("the loop nest has no such statement");
  }

private:
  const std::vector<CStmt> &all_;
  std::size_t next_ = 0;
  std::uint32_t end_;
};

struct Piece {
  std::string c_name;
  std::vector<Region> largest_of;
  bool per_thread = false;
  std::string bytes_name;   // the C variable with its bytes; empty if there is none
  std::optional<Elem> elem; // of the pointer; none: void
  std::vector<const lowering::Buffer *> users{};
  bool is_restrict = false; // a pointer to it, besides its own
  bool is_empty = false;    // it never has a byte
};

struct Entry {
  Spans spans; // of the sizes, once they are checked
  std::vector<Piece> pieces;
  std::string threads; // the C variable that counts them
};

// Reads the checks of sizes and where clauses alone.
Entry read_sizes(const lowering::LoopKernel &kernel, const std::string &codes, std::uint32_t file,
                 Scope &scope, Statements &in, std::vector<Obligation> &conditions);
// Reads the statements before the kernel's body. `codes`: what the names of errors begin with.
Entry read_entry(const lowering::LoopKernel &kernel, const CFunction &function, const std::string &codes,
                 std::uint32_t file, Scope &scope, Statements &in, std::vector<Obligation> &conditions);
void read_exit(const Entry &entry, const std::string &codes, Statements &in);

} // namespace atl::proofs::reader
