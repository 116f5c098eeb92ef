// Instruction selection: covers the expression that each lane computes with instructions, the cheapest way.
#pragma once
#include "accel/describe/pattern.h"
#include "atl/index/facts.h"
#include "lowering/nest/loop_ir.h"

#include <map>
#include <optional>
#include <set>

namespace atl::accel {

// What the body of a vectorized loop may refer to.
struct Lanes {
  std::string lane; // the loop variable, from 0
  std::int64_t count;
  Facts facts;                               // besides the range of the lane
  std::map<std::string, std::string> memory; // of each tensor in registers, and of each local of the loop
  std::set<std::string> locals;
  bool contracts; // a * b + c may be rounded once
  const std::map<std::string, lowering::Buffer> *buffers;
};

using LaneValue = std::variant<std::shared_ptr<const lowering::LaneCall>, lowering::Register>;

class Cover {
public:
  Cover(const std::vector<Pattern> &patterns, const Lanes &lanes) : patterns_(patterns), lanes_(lanes) {}

  // The value in a register of `memory`; nothing if no instructions compute it. `last`: the instruction that
  // gives it, if it is not to be chosen.
  std::optional<LaneValue> value(const ExprPtr &e, const std::string &memory, const std::string &last = {});
  // Stores the value at `out`, in the first `active` lanes if that is given.
  std::shared_ptr<const lowering::LaneCall> store(const ExprPtr &e, const lowering::FirstElement &out,
                                                  const Index &active, const std::string &last = {});

  // The value of all lanes together.
  std::shared_ptr<const lowering::LaneCall> total(const ExprPtr &e, Reduction reduction,
                                                  const std::string &last);

  const ExprPtr &smallest_failure() const { return failure_; } // a part that nothing covers

  // The element of lane 0, if the lanes are elements one after the other; or, with `at`, if each lane is the
  // element that far behind it.
  std::optional<lowering::FirstElement> first_element(const std::string &buffer,
                                                      const std::vector<Index> &indices,
                                                      const Index &at = nullptr) const;
  // The first element of rows, and how many bytes each lies behind the one before, if each lane is the
  // element in that row and column.
  struct Rows {
    lowering::FirstElement first;
    Index stride;
  };
  std::optional<Rows> rows_of(const Access &access, const Index &row, const Index &column) const;
  // The register that the lanes of an access are, if they are exactly one.
  std::optional<lowering::Register> whole_register(const std::string &buffer,
                                                   const std::vector<Index> &indices) const;
  bool is_same_in_all_lanes(const ExprPtr &e) const;

private:
  struct Choice {
    int cost;
    LaneValue value;
  };
  // A sum of the pattern, and the sum of the expression that it is.
  struct Terms {
    std::string variable, of;
    std::int64_t count;
  };
  struct Match {
    int cost = 0;
    std::optional<Terms> terms;
    std::map<std::string, lowering::LaneOperand> operands;
    std::map<std::string, ExprPtr> covered; // what each register operand stands for
  };

  std::vector<Index> at_lane_0(const std::vector<Index> &indices) const;
  Facts facts_of_lane() const;
  std::optional<Choice> best(const ExprPtr &e, const std::string &memory);
  std::optional<Choice> find_best(const ExprPtr &e, const std::string &memory, const std::string &last = {});
  std::vector<ExprPtr> forms_of(const ExprPtr &e);
  bool unify(const Pattern &pattern, const ExprPtr &p, const ExprPtr &e, Match &match);
  bool unify_rounded(const Pattern &pattern, const ExprPtr &p, const ExprPtr &e, Match &match);
  ExprPtr masked_form(const ExprPtr &e) const;
  bool unify_sum(const Pattern &pattern, const Reduce &p, const ExprPtr &e, Match &match);
  bool unify_operand(const Pattern &pattern, const Access &operand, const ExprPtr &e, Match &match);
  bool unify_memory(const Pattern &pattern, const Access &operand, const ExprPtr &e, Match &match) const;
  bool unify_register(const Pattern &pattern, const Access &operand, const ExprPtr &e, Match &match);
  std::optional<Choice> elements(const Terms &terms, const ExprPtr &e, const std::string &memory) const;
  bool unify_active(const Pattern &pattern, const Pred &p, const Pred &e, Match &match);
  static lowering::LaneCall call(const Pattern &pattern, const Match &match);

  const std::vector<Pattern> &patterns_;
  const Lanes &lanes_;
  std::map<std::pair<const Expr *, std::string>, std::optional<Choice>> known_;
  std::vector<ExprPtr> kept_; // whose addresses are in known_
  ExprPtr failure_;
};

} // namespace atl::accel
