/* Not every library needs each of them. */
#define ATL_INLINE __attribute__((unused)) static inline

/* Whole numbers that are known, or nothing: a sum that exceeds 64 bits, or a quotient by 0, is nothing. */
typedef struct {
  bool known;
  int64_t value;
} AtlNumber;

ATL_INLINE AtlNumber atl_number(int64_t value) { return (AtlNumber){true, value}; }
ATL_INLINE AtlNumber atl_nothing(void) { return (AtlNumber){false, 0}; }

ATL_INLINE AtlNumber atl_add(AtlNumber a, AtlNumber b) {
  int64_t value;
  return a.known && b.known && !__builtin_add_overflow(a.value, b.value, &value) ? atl_number(value) : atl_nothing();
}
ATL_INLINE AtlNumber atl_sub(AtlNumber a, AtlNumber b) {
  int64_t value;
  return a.known && b.known && !__builtin_sub_overflow(a.value, b.value, &value) ? atl_number(value) : atl_nothing();
}
ATL_INLINE AtlNumber atl_mul(AtlNumber a, AtlNumber b) {
  int64_t value;
  return a.known && b.known && !__builtin_mul_overflow(a.value, b.value, &value) ? atl_number(value) : atl_nothing();
}
ATL_INLINE AtlNumber atl_div(AtlNumber a, AtlNumber b) { /* rounds down */
  if (!a.known || !b.known || b.value <= 0)
    return atl_nothing();
  return atl_number(a.value / b.value - (a.value % b.value < 0));
}
ATL_INLINE AtlNumber atl_cdiv(AtlNumber a, AtlNumber b) {
  if (!a.known || !b.known || b.value <= 0)
    return atl_nothing();
  return atl_number(a.value / b.value + (a.value % b.value > 0));
}
ATL_INLINE AtlNumber atl_mod(AtlNumber a, AtlNumber b) {
  if (!a.known || !b.known || b.value <= 0)
    return atl_nothing();
  return atl_number(a.value % b.value + (a.value % b.value < 0 ? b.value : 0));
}
ATL_INLINE AtlNumber atl_min(AtlNumber a, AtlNumber b) {
  return a.known && b.known ? (a.value < b.value ? a : b) : atl_nothing();
}
ATL_INLINE AtlNumber atl_max(AtlNumber a, AtlNumber b) {
  return a.known && b.known ? (a.value > b.value ? a : b) : atl_nothing();
}

/* Conditions: 1 or 0. */
ATL_INLINE AtlNumber atl_lt(AtlNumber a, AtlNumber b) {
  return a.known && b.known ? atl_number(a.value < b.value) : atl_nothing();
}
ATL_INLINE AtlNumber atl_eq(AtlNumber a, AtlNumber b) {
  return a.known && b.known ? atl_number(a.value == b.value) : atl_nothing();
}
ATL_INLINE AtlNumber atl_not(AtlNumber a) { return a.known ? atl_number(!a.value) : a; }
/* The right side counts only where the left one does not decide. */
ATL_INLINE AtlNumber atl_and(AtlNumber a, AtlNumber b) { return !a.known || !a.value ? a : b; }
ATL_INLINE AtlNumber atl_or(AtlNumber a, AtlNumber b) { return !a.known || a.value ? a : b; }
