#include "lowering/verify/races.h"

#include "atl/base/check.h"

#include <algorithm>
#include <fmt/format.h>

namespace atl::lowering {

namespace {

bool runs_in_order(const For &loop) {
  return loop.mode == LoopMode::sequential || loop.mode == LoopMode::unrolled;
}

std::string_view result_of(Reduction reduction) {
  switch (reduction) {
  case Reduction::sum: return "sum";
  case Reduction::prod: return "product";
  case Reduction::max: return "maximum";
  case Reduction::min: return "minimum";
  }
  ATL_CHECK(false, "a reduction without a result");
}

void append(Template &text, const Template &more) {
  text.insert(text.end(), more.begin(), more.end());
}

Template in_second(Template text, const Subst &primed) {
  for (auto &part : text)
    if (Index *e = std::get_if<Index>(&part))
      *e = substitute(*e, primed);
  return text;
}

// iterations y = 0 and y' = 1 both store out[0]
Template what_goes_wrong(const For &loop, const Touch &first, const Touch &second, const Subst &primed) {
  Index y = variable(loop.var), other = primed.at(loop.var);
  bool both_combine = first.kind == Touch::Kind::combine && second.kind == Touch::Kind::combine;
  Template text;
  if (first.kind != Touch::Kind::read && second.kind != Touch::Kind::read) {
    text = {"iterations " + loop.var + " = ", y, " and " + loop.var + "' = ", other};
    if (both_combine && first.site.indices.empty()) { // an accumulator has no name that the user knows
      text.emplace_back(fmt::format(" both contribute to one {}", result_of(*first.reduction)));
      return text;
    }
    text.emplace_back(both_combine ? " both contribute to " : " both store ");
    append(text, cell_text(first.site));
    return text;
  }
  bool first_stores = first.kind != Touch::Kind::read;
  text = {fmt::format("iteration {} = ", first_stores ? loop.var : loop.var + "'"), first_stores ? y : other,
          " stores "};
  append(text, first_stores ? cell_text(first.site) : in_second(cell_text(second.site), primed));
  text.insert(text.end(), {fmt::format(", which iteration {} = ", first_stores ? loop.var + "'" : loop.var),
                           first_stores ? other : y, " reads"});
  return text;
}

std::vector<Note> advice(const For &loop, const Touch &first, const Touch &second, bool is_inside) {
  std::string text;
  if (first.kind == Touch::Kind::combine && second.kind == Touch::Kind::combine)
    text = fmt::format("the {} needs its iterations in order: make another loop {}",
                       result_of(*first.reduction), name(loop.mode));
  else if (is_inside)
    text = fmt::format("iterations of a vectorized loop share the arrays inside it, such as {}",
                       first.site.buffer);
  return text.empty() ? std::vector<Note>{} : std::vector<Note>{{std::nullopt, text}};
}

} // namespace

void Races::enter_loop(const For &loop, const Known &outside) {
  if (!runs_in_order(loop))
    loops_.push_back({&loop, Outside(outside), {}});
}

void Races::allocate(const Alloc &alloc) {
  lives_[alloc.buffer.name] = {loops_.size(), alloc.storage == Alloc::Storage::scalar};
}

bool Races::is_inside(const std::string &buffer, std::size_t loop) const {
  auto life = lives_.find(buffer); // not that of a parameter
  return life != lives_.end() && loop < life->second.loops;
}

// What is allocated inside a loop belongs to one iteration. The iterations of a vectorized loop that run at
// the same time have variables of their own, but no arrays.
bool Races::is_shared(const std::string &buffer, std::size_t loop) const {
  return !is_inside(buffer, loop) ||
         (loops_[loop].loop->mode == LoopMode::vectorized && !lives_.at(buffer).is_scalar);
}

void Races::touch(const Touch &touch) {
  for (std::size_t i = 0; i < loops_.size(); ++i)
    if (is_shared(touch.site.buffer, i))
      loops_[i].touches.push_back(touch);
}

std::vector<Obligation> Races::leave_loop(const For &loop) {
  if (runs_in_order(loop))
    return {};
  Loop left = std::move(loops_.back());
  loops_.pop_back();
  std::vector<Obligation> conditions;
  for (std::size_t i = 0; i < left.touches.size(); ++i)
    for (std::size_t j = i; j < left.touches.size(); ++j) {
      const Touch &first = left.touches[i], &second = left.touches[j];
      bool only_reads = first.kind == Touch::Kind::read && second.kind == Touch::Kind::read;
      if (first.site.buffer == second.site.buffer && !only_reads)
        conditions.push_back(condition(left, first, second));
    }
  return conditions;
}

Obligation Races::condition(const Loop &left, const Touch &first, const Touch &second) const {
  const For &loop = *left.loop;
  TwoExecutions both = side_by_side(first.site, second.site, left.outside);
  PredOp apart = &first == &second ? PredOp::lt : PredOp::ne; // of one touch, either order is the same
  both.known.hypotheses.push_back(compare(apart, variable(loop.var), both.primed.at(loop.var)));
  return both.known.obligation(
      ObligationKind::race, Code::race, loop.span,
      fmt::format("different iterations of {} touch different cells of {}", loop.var, first.site.buffer),
      {{both.different_cells, what_goes_wrong(loop, first, second, both.primed)}},
      advice(loop, first, second, is_inside(first.site.buffer, loops_.size())));
}

} // namespace atl::lowering
