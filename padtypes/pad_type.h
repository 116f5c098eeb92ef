// The algebra of pad types: building, comparing, weakening. Every result is implied by its arguments wherever
// the given facts hold.
#pragma once
#include "atl/index/bounds.h"
#include "padtypes/padtypes.h"

#include <optional>

namespace atl::padtypes {

PadTypePtr scalar_type(Pred data);
PadTypePtr tensor_type(PadType type);
PadTypePtr padding(const Shape &shape); // all of it is padding
PadTypePtr nothing_known(const Shape &shape);
PadTypePtr only_where(const Pred &p, const PadTypePtr &type); // padding where p does not hold
bool is_long(const Pred &p);                       // too long to be of use; a condition then says nothing
Pred data_of_either(const Pred &a, const Pred &b); // where one of two types has data
PadTypePtr with_shape(const PadTypePtr &type, const Shape &shape); // the same extents in other words
Shape shape_of(const PadTypePtr &type);
bool equal(const PadTypePtr &a, const PadTypePtr &b); // as written
bool mentions(const PadTypePtr &type, const std::string &var);

// Counts: a negative one means none, and a smaller one says less. These may be smaller than their names say.
inline bool is_constant(const Index &e, std::int64_t value) {
  return as_constant(e) == value;
}
Index at_least_zero(const Index &e, const Facts &facts);
Index smaller(const Index &a, const Index &b, const Facts &facts);
bool proves_at_least(const Index &a, const Index &b, const Facts &facts); // a >= b

// A tensor type from its two padded ends and a middle of one type.
PadTypePtr uniform_middle(const Pred &data, const Index &extent, const Index &k, const PadTypePtr &middle,
                          const Index &c, const Facts &facts);

Pred padding_where(const PadTypePtr &type, const Facts &facts); // a predicate under which all is padding
bool is_padding(const PadTypePtr &type, const Facts &facts);

// Do the left part, the right part, or both together reach over all that is not padding at the ends?
bool left_covers(const PadType &t, const Facts &facts);
bool right_covers(const PadType &t, const Facts &facts);
bool covers(const PadType &t, const Facts &facts);

// The slices next to the padding at one end, if something is known of them: how many, and their type.
struct Run {
  Index count;
  PadTypePtr type;
};
std::optional<Run> leading(const PadType &t, const Facts &facts);
std::optional<Run> trailing(const PadType &t, const Facts &facts);
PadTypePtr common_slice(const PadType &t, const Facts &facts); // of all slices between the ends, or null

// The same knowledge with the parts in their shortest form: parts of one type that together cover the tensor
// become one, and a part that covers it ends where the padding begins.
PadTypePtr tidy(PadType t, const Facts &facts);

// Weaker types.
PadTypePtr either(const PadTypePtr &a, const PadTypePtr &b, const Facts &facts); // implied by each of them
// Of every value of the variable; facts include the range.
PadTypePtr for_all(const PadTypePtr &type, const LoopRange &range, const Facts &facts, bool best_case);
PadTypePtr at_value(const PadTypePtr &type, const std::string &var, const Index &value, const Facts &facts);

} // namespace atl::padtypes
