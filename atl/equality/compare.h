// Two points, and what must hold of sizes and indices so that they are the same value: the obligations of
// kind `equal`. The points are walked side by side; where their forms differ, the obligation is that this
// place is never reached.
#pragma once
#include "atl/equality/laws.h"
#include "atl/equality/point.h"
#include "atl/index/known.h"

#include <functional>
#include <optional>
#include <utility>

namespace atl::equality {

// What is known at a place of the comparison, and what is claimed there.
struct Place {
  Known known;
  std::vector<Claim> claims;
};

// What all obligations of a comparison have in common.
struct Subject {
  ObligationKind kind;
  Code code;
  Span span;
};

class Comparison {
public:
  // The point of a cell of a tensor of the algorithm; nothing for an input.
  using Unfold = std::function<std::optional<PointPtr>(const Read &)>;

  using Names = std::pair<std::string, std::string>; // of the two that are compared, for messages

  // `reindexing`: see equal_obligations.
  Comparison(const Subject &subject, Unfold unfold, const Reindexing &reindexing,
             Names names = {"the algorithm", "the schedule"})
      : subject_(subject), unfold_(std::move(unfold)), reindexing_(reindexing), names_(std::move(names)) {}

  // For all values of the variables that satisfy the hypotheses, both are the same value. `what` says so in
  // words.
  void state(const std::string &what, const Known &known, const PointPtr &algorithm,
             const PointPtr &scheduled, std::vector<Claim> claims = {});

  std::vector<Obligation> obligations;
  // Those under which every reduction combines in the algorithm's order.
  std::vector<Obligation> order;
  std::vector<std::size_t> order_of_floats; // which of these are about floats
  Laws laws, laws_of_floats;                // that were used; that were used of floats
  std::vector<Renumbered> renumbered;       // but for reductions that differ in names only

private:
  void use(Law law, bool of_floats);
  void at(Place place, const std::function<void(Place &)> &body); // states the claims made in `body`
  void under(const Place &place, const Pred &pred, const std::function<void(Place &)> &body);
  void equal_points(Place &place, const PointPtr &a, const PointPtr &b);
  void equal_choice(Place &place, const Choose &c,
                    const std::function<void(Place &, const PointPtr &)> &go_on);
  bool equal_heads(Place &place, const PointPtr &a, const PointPtr &b);
  bool equal_reads(Place &place, const Read &a, const Read &b);
  bool equal_forms(Place &place, const Apply &a, const Apply &b);
  bool equal_folds(Place &place, const PointPtr &a, const PointPtr &b);
  PointPtr unfolded(const PointPtr &p) const;
  bool is_sum(const PointPtr &p) const;
  bool has_sum(const PointPtr &p) const;
  bool part_has_sum(const Place &place, const PointPtr &part) const;
  std::optional<Fold> as_one_sum(const PointPtr &p) const;
  PointPtr product_brought_in(const PointPtr &p) const;
  PointPtr fold_of_sum_apart(const PointPtr &p) const;
  bool equal_by_distributivity(Place &place, const PointPtr &a, const PointPtr &b);
  bool equal_by_start(Place &place, const PointPtr &a, const PointPtr &b);
  void decide_terms(const Place &place, Fold &f);
  void leave_out_zeros(Fold &f);
  void has_no_terms(Place &place, const Fold &f, const std::string &whose);
  void bijection(Place &place, const Fold &a, const Fold &b, const Subst &to_a, const Subst &to_b);
  void require_order(const Place &inside, const Fold &a, const Fold &b, const Subst &to_a);
  void note_renumbered(const Place &inside, const Fold &a, const Fold &b, const Subst &to_a,
                       const Subst &to_b, std::optional<std::size_t> order);
  void differ(Place &place, const PointPtr &a, const PointPtr &b);
  void claim_equal(Place &place, const Index &a, const Index &b, const Template &otherwise);

  Subject subject_;
  std::string what_; // is stated
  Unfold unfold_;
  const Reindexing &reindexing_;
  Names names_;
  std::size_t steps_ = 0;
};

} // namespace atl::equality
