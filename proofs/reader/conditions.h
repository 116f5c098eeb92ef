// Conditions in the C, taken apart.
#pragma once
#include "proofs/reader/scalars.h"

namespace atl::proofs::reader {

// a || b || c
inline void parts(const CExpr &c, std::string_view op, std::vector<const CExpr *> &into) {
  if (c.kind != CExpr::Kind::infix || c.text != op)
    return into.push_back(&c);
  parts(c.args[0], op, into);
  parts(c.args[1], op, into);
}

inline void disjuncts(const CExpr &c, std::vector<const CExpr *> &into) {
  parts(c, "||", into);
}

inline void conjuncts(const CExpr &c, std::vector<const CExpr *> &into) {
  parts(c, "&&", into);
}

inline bool is_infix(const CExpr &c, std::string_view op) {
  return c.kind == CExpr::Kind::infix && c.text == op;
}

inline bool is_negated(const CExpr &c, std::string_view name) {
  return c.kind == CExpr::Kind::prefix && c.text == "!" && is_name(c.args[0], name);
}

} // namespace atl::proofs::reader
