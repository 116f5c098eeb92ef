// The body of an emitted function against the loop nest, statement by statement.
#pragma once
#include "proofs/reader/entry.h"
#include "proofs/reader/memory.h"
#include "proofs/reader/scalars.h"

#include <span>

namespace atl::proofs::reader {

class Nest : public Scalars {
public:
  Nest(const lowering::LoopKernel &kernel, Scope &scope, Surroundings &around, Entry &entry,
       std::uint32_t file, std::vector<Obligation> &conditions)
      : Scalars(kernel, scope, around, file, conditions), entry_(entry), lives_(lives_of(kernel.body)) {}

  // Throws Difference. Reads what belongs to the block, and leaves what follows.
  void body(Statements &in);

private:
  using Block = std::span<const lowering::Stmt>; // not a copy: buffers are known by their addresses

  // Whose iterations run at the same time: on threads, in vectors.
  struct Runs {
    bool threads = false, vectors = false;
  };

  void block(Block body, Statements &in);
  void stmt(const lowering::For &loop, Statements &in);
  void stmt(const lowering::If &branch, Statements &in);
  void stmt(const lowering::Alloc &alloc, Statements &in);
  void stmt(const lowering::Store &store, Statements &in);

  void marks(const lowering::For &loop, Statements &in);
  void thread_marks(const lowering::For &loop, Statements &in);
  bool can_be_counted_together(const lowering::For &loop) const;
  void alloc_here(const lowering::Alloc &alloc, Statements &in);
  bool declare_value(const lowering::Alloc &alloc, const CStmt &s); // with its first store
  void declare_array(const lowering::Alloc &alloc, const CStmt &s);
  void pointers(Statements &in);
  void declare_pointer(const CStmt &s);
  void skip_unused(const std::string &c_name, Statements &in);
  Piece &piece_named(const std::string &c_name, std::uint32_t at);
  bool holds_here(const Pred &condition) const;
  void use(Piece &piece, const lowering::Buffer &buffer, std::uint32_t at);
  void bind(Variable &memory, const lowering::Buffer &buffer, const CExpr &c) override;

  Entry &entry_;
  Lives lives_;
  Runs runs_;
  struct Place {
    const lowering::Alloc *alloc;
    std::size_t loops; // around it
    bool in_parallel, is_bound;
  };
  std::map<const lowering::Buffer *, Place> heap_; // the temporaries in scope; looked up only
  int parallel_ = 0;
};

} // namespace atl::proofs::reader
