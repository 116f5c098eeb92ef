// The body of an emitted function against the loop nest, statement by statement.
#pragma once
#include "proofs/reader/entry.h"
#include "proofs/reader/memory.h"
#include "proofs/reader/scalars.h"

#include <functional>
#include <span>

namespace atl::proofs::reader {

class Nest : public Scalars {
public:
  // `tokens`: of the file, where loops run as the instructions that they are mapped to; otherwise null.
  Nest(const lowering::LoopKernel &kernel, Scope &scope, Surroundings &around, Entry &entry,
       std::uint32_t file, std::vector<Obligation> &conditions, const std::vector<Token> *tokens)
      : Scalars(kernel, scope, around, file, conditions), entry_(entry), lives_(lives_of(kernel.body)),
        tokens_(tokens) {
    around.spans = entry.spans;
  }

  // Throws Difference. Reads what belongs to the block, and leaves what follows.
  void body(Statements &in);
  // Of a kernel in several parts, each of which is a function: the one that runs one of them.
  void choice(const std::vector<std::string> &parts, const std::vector<std::string> &arguments,
              Statements &in);

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

  Span64 values_of(const lowering::For &loop) const; // its variable
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

  // instructions.cpp
  Cursor tokens_at(Statements &in) const;
  void text(const std::string &c, Statements &in);
  void registers(const lowering::Alloc &alloc, Statements &in);
  void lanes(const lowering::LaneCode &code, Statements &in);
  void lanes_here(const lowering::LaneCode &code, Statements &in);
  void named_size(const CStmt &s);
  void total(const lowering::LaneTotal &total, Statements &in);
  void when(const Pred &condition, Statements &in, const std::function<void(Statements &)> &then);
  void statement(const lowering::LaneStatement &s, Statements &in);
  void same_register(const lowering::Register &r, Cursor &in);
  void call(const lowering::LaneCall &call, Cursor &in);
  static void kept_together(Cursor &in, bool is_enclosed, const std::function<void()> &read);
  void operand(const lowering::LaneOperand &o, Cursor &in, bool is_enclosed);
  void same_operand(const lowering::FirstElement &e, Cursor &in, bool is_enclosed);
  void same_operand(const lowering::RowBlock &block, Cursor &in, bool is_enclosed);
  void same_operand(const ExprPtr &scalar, Cursor &in, bool is_enclosed);
  void same_operand(const Index &size, Cursor &in, bool is_enclosed);
  void setting(const lowering::Setting &setting, Statements &in);
  void call(const lowering::BlockCall &call, Statements &in);
  void beside(const lowering::BlockCode &code, Statements &in);
  void prefetches(Statements &in);
  void address_ahead(Cursor &in);
  void wrapping(Cursor &in);

  Entry &entry_;
  Lives lives_;
  Runs runs_;
  const std::vector<Token> *tokens_;
  struct Place {
    const lowering::Alloc *alloc;
    std::size_t loops; // around it
    bool in_parallel, is_bound;
  };
  std::map<const lowering::Buffer *, Place> heap_; // the temporaries in scope; looked up only
  int parallel_ = 0;
};

} // namespace atl::proofs::reader
