// Scalar expressions of the emitted C against those of the loop nest.
#pragma once
#include "proofs/reader/arithmetic.h"
#include "proofs/reader/scope.h"
#include "proofs/reader/widths.h"

namespace atl::proofs::reader {

// That a dividend of C's own division is not negative, under these hypotheses.
Obligation nonnegative(const lowering::LoopKernel &kernel, std::uint32_t file, const Truncated &division,
                       const std::vector<std::string> &loops, const std::vector<Pred> &known);

// Compares; throws Difference. What must be proved besides is added to the conditions.
class Scalars {
public:
  Scalars(const lowering::LoopKernel &kernel, Scope &scope, Surroundings &around, std::uint32_t file,
          std::vector<Obligation> &conditions);
  virtual ~Scalars() = default;

  void same(const CExpr &c, const ExprPtr &e);
  void same_summand(const CExpr &c, const ExprPtr &e); // what is added, subtracted or stored
  void same(const CExpr &c, const Index &e);
  void same(const CExpr &c, const Pred &p);
  // `is_inside`: that the indices are those of a cell is an obligation already.
  void same_cell(const CExpr &c, const std::string &buffer, const std::vector<Index> &indices,
                 bool is_inside = true);
  // The C of an operation on operands that are read already.
  void same_operation(const CExpr &c, const ScalarOp &op, Elem elem);

protected:
  // Heap memory that belongs to no temporary yet.
  virtual void bind(Variable &memory, const lowering::Buffer &buffer, const CExpr &c) = 0;

  bool is_nonnegative(const Index &e) const; // as far as that is seen from its form
  CNames names();
  Index index_of(const CExpr &c);
  void require_fitting(const Index &computed, std::uint32_t at, const std::vector<Pred> &under);

  const lowering::LoopKernel &kernel_;
  Scope &scope_;
  Surroundings &around_;

private:
  void same_literal(const CExpr &c, const Literal &literal, Elem elem);
  void same_op(const CExpr &c, const Op &op);
  void same_convert(const CExpr &c, const Convert &convert);
  void same_select(const CExpr &c, const Select &select);
  void same_from_index(const CExpr &c, const FromIndex &from);
  void same_offset(const CExpr &c, const lowering::Buffer &buffer, const std::vector<Index> &indices,
                   bool is_inside);
  void require_nonnegative(const Truncated &division);
  void require(std::uint32_t at, std::string what, const std::vector<Pred> &under, std::vector<Claim> claims);

  std::uint32_t file_;
  std::vector<Obligation> &conditions_;
  bool subtracts_; // floats, somewhere in the kernel
};

bool calls(const CExpr &c, const std::string &function, std::size_t arguments);
bool is_name(const CExpr &c, std::string_view name);

} // namespace atl::proofs::reader
