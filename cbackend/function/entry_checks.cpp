#include "cbackend/function/entry_checks.h"

#include "atl/base/check.h"
#include "lowering/nest/ranges.h"

#include <fmt/format.h>
#include <limits>

namespace atl::cbackend {

namespace {

using namespace lowering;

// `if (a || b || c)` and its statement.
void emit_if_any(const std::vector<std::string> &conditions, std::string_view statement, Writer &out) {
  if (conditions.empty())
    return;
  out.line(fmt::format("if ({})", fmt::join(conditions, " || ")));
  out.indented(statement);
}

Pred opposite(const Pred &p) {
  return is_comparison(p->op) ? compare(comparison(p->op).opposite, p->lhs, p->rhs) : neg(p);
}

struct TensorBytes {
  std::string c_name, bytes; // bytes: a constant or a variable
};

bool is_number(const std::string &bytes) {
  return bytes.find_first_not_of("0123456789") == std::string::npos;
}

// Where there are bytes, there must be a pointer to them.
std::vector<std::string> null_checks(const std::vector<TensorBytes> &tensors) {
  std::vector<std::string> null;
  for (const TensorBytes &t : tensors)
    if (!is_number(t.bytes))
      null.push_back(fmt::format("({} == NULL && {} > 0)", t.c_name, t.bytes));
    else if (t.bytes != "0")
      null.push_back(t.c_name + " == NULL");
  if (null.size() == 1 && null[0].starts_with('('))
    null[0] = null[0].substr(1, null[0].size() - 2);
  return null;
}

class EntryChecks {
public:
  EntryChecks(const Scope &scope, NameScope &names, const ErrorCodes &codes, Prelude &prelude, Writer &out)
      : scope_(scope), names_(names), codes_(codes), prelude_(prelude), out_(out) {}

  void sizes(const lowering::LoopKernel &kernel) {
    std::vector<std::string> names;
    for (const Param &param : kernel.params)
      if (param.kind == Param::Kind::size)
        names.push_back(param.name);
    const std::vector<Pred> &assumptions = kernel.assumptions;
    scope_.sizes = size_ranges(names, assumptions);
    std::vector<std::string> wrong;
    for (const std::string &name : names) {
      const std::string &c = scope_.variables.at(name);
      wrong.push_back(c + " < 0");
      if (scope_.sizes.at(name).hi != std::numeric_limits<std::int64_t>::max())
        wrong.push_back(fmt::format("{} > {}", c, scope_.sizes.at(name).hi));
      scope_.known.assume(compare(PredOp::ge, variable(name), constant(0)));
    }
    emit_if_any(wrong, fails(RuntimeError::size), out_);
  }

  // In the order given: a clause is evaluated only where those before it hold.
  void where(const std::vector<Pred> &assumptions) {
    for (const Pred &assumption : assumptions)
      for (const Pred &p : conjuncts(assumption)) {
        if (!narrow_known(p))
          violated_.push_back(is_safe(p, scope_.sizes) ? c_pred(opposite(p), scope_, prelude_).text
                                                       : unsafe_clause(p));
        scope_.known.assume(p);
        narrow(scope_.sizes, p);
      }
    if (!fits_.empty())
      out_.line(fmt::format("bool {} = true; // into 64 bits", fits_));
    emit_if_any(violated_, fails(RuntimeError::where), out_);
  }

  // The bytes of a tensor, 0 if the condition does not hold; the caller has all of them emitted before
  // too_large().
  TensorBytes tensor(const std::string &c_name, Elem elem, const Shape &dims,
                     const Pred &when = truth(true)) {
    Index count = constant(static_cast<std::int64_t>(byte_size(elem))), elements = constant(1);
    bool never_negative = true;
    for (const Index &d : dims) {
      count = mul(count, d);
      elements = mul(elements, d);
      auto range = interval_of(d, scope_.sizes);
      never_negative = never_negative && range && range->lo >= 0;
    }
    auto range = interval_of(count, scope_.sizes);
    const bool always = when->op == PredOp::truth || !is_safe(when, scope_.sizes);
    if (range && never_negative && range->lo == range->hi && always)
      return {c_name, c_integer(range->lo)};
    std::string bytes = names_.claim(c_name + "_bytes");
    auto declare = [&](const std::string &number) {
      out_.line(fmt::format("const int64_t {} = {};", bytes,
                            always ? number
                                   : fmt::format("{}({}, {})", prelude_.index_function("when"),
                                                 c_pred(when, scope_, prelude_).text, number)));
      return TensorBytes{c_name, bytes};
    };
    if (range && never_negative)
      return declare(c_index(count, scope_, prelude_).text);
    too_large_.push_back(bytes + " < 0");
    if (never_negative && interval_of(elements, scope_.sizes)) // without a division
      return declare(fmt::format("{}(sizeof({}), {})", prelude_.index_function("bytes_of"), info(elem).c_type,
                                 c_index(elements, scope_, prelude_).text));
    std::string extents;
    for (const Index &d : dims)
      extents += (extents.empty() ? "" : ", ") + extent(d);
    return declare(fmt::format("{}(sizeof({}), {}, (const int64_t[]){{{}}})",
                               prelude_.index_function("bytes"), info(elem).c_type, dims.size(), extents));
  }

  // The bytes of a piece of the workspace: those of its largest temporary, perhaps for every thread.
  TensorBytes piece(const HeapPiece &piece, const std::string &threads) {
    std::string largest;
    for (std::size_t i = 0; i < piece.temporaries.size(); ++i) {
      const HeapTemporary &temporary = piece.temporaries[i];
      if (i > 0 && same_bytes(temporary, piece.temporaries[i - 1]))
        continue;
      std::string bytes = tensor(temporary.c_name, temporary.elem, temporary.capacity, temporary.when).bytes;
      largest =
          largest.empty() ? bytes : fmt::format("{}({}, {})", prelude_.index_function("max"), largest, bytes);
    }
    bool is_plain = !piece.per_thread && largest.find('(') == std::string::npos;
    if (is_plain)
      return {piece.c_name, largest};
    std::string bytes = names_.claim(piece.c_name + "_bytes");
    if (piece.per_thread) {
      largest = fmt::format("{}({}, {})", prelude_.index_function("for_threads"), largest, threads);
      too_large_.push_back(bytes + " < 0");
    }
    out_.line(fmt::format("const int64_t {} = {};", bytes, largest));
    return {piece.c_name, bytes};
  }

  void too_large() { emit_if_any(too_large_, fails(RuntimeError::too_large), out_); }

  void null_pointers(const std::vector<TensorBytes> &tensors) {
    emit_if_any(null_checks(tensors), fails(RuntimeError::null_pointer), out_);
  }

  void overlap(const std::vector<TensorBytes> &inputs, const std::vector<TensorBytes> &outputs) {
    std::vector<std::string> overlapping;
    std::vector<TensorBytes> others = inputs;
    for (const TensorBytes &output : outputs) {
      for (const TensorBytes &other : others)
        overlapping.push_back(fmt::format("{}({}, {}, {}, {})", prelude_.index_function("overlap"),
                                          output.c_name, output.bytes, other.c_name, other.bytes));
      others.push_back(output);
    }
    emit_if_any(overlapping, fails(RuntimeError::overlap), out_);
  }

  std::string fails(RuntimeError error) const { return "return " + codes_(error) + ";"; }

private:
  bool narrow_known(const Pred &p) {
    Intervals unchanged = scope_.sizes;
    return narrow(unchanged, p);
  }

  // Overflow at entry, where nothing is proved yet, clears a flag; such a clause counts as violated.
  std::string unsafe_clause(const Pred &p) {
    name_flag();
    return fmt::format("!({}) || !{}", checked(p), fits_);
  }

  bool name_flag() {
    if (!fits_.empty())
      return false;
    fits_ = names_.claim("fits");
    return true;
  }

  std::string extent(const Index &e) {
    if (interval_of(e, scope_.sizes))
      return c_index(e, scope_, prelude_).text;
    if (name_flag())
      out_.line(fmt::format("bool {} = true; // into 64 bits", fits_));
    std::string negated = "!" + fits_;
    if (too_large_.empty() || too_large_.front() != negated)
      too_large_.insert(too_large_.begin(), negated);
    return checked(e);
  }

  std::string checked(const Index &e) {
    if (interval_of(e, scope_.sizes))
      return c_index(e, scope_, prelude_).text;
    std::string a = checked(e->a), b = checked(e->b);
    if (is_extremum(e->op))
      return fmt::format("{}({}, {})", prelude_.index_function(info(e->op).text), a, b);
    return fmt::format("{}({}, {}, &{})", prelude_.index_function(checked_function(e->op)), a, b, fits_);
  }

  static std::string_view checked_function(IndexOp op) {
    switch (op) {
    case IndexOp::add: return "checked_add";
    case IndexOp::sub: return "checked_sub";
    case IndexOp::mul: return "checked_mul";
    case IndexOp::div: return "checked_floor_div";
    case IndexOp::mod: return "checked_floor_mod";
    case IndexOp::cdiv: return "checked_cdiv";
    default: ATL_CHECK(false, "an index operation that cannot overflow");
    }
  }

  std::string checked(const Pred &p) {
    switch (p->op) {
    case PredOp::truth: return p->value ? "true" : "false";
    case PredOp::conj: return fmt::format("({} && {})", checked(p->a), checked(p->b));
    case PredOp::disj: return fmt::format("({} || {})", checked(p->a), checked(p->b));
    case PredOp::neg: return fmt::format("!({})", checked(p->a));
    default: return fmt::format("{} {} {}", checked(p->lhs), comparison(p->op).text, checked(p->rhs));
    }
  }

  Scope scope_; // grows by what has been checked, as do the ranges of its sizes
  NameScope &names_;
  const ErrorCodes &codes_;
  Prelude &prelude_;
  Writer &out_;
  std::string fits_;
  std::vector<std::string> violated_, too_large_;
};

// Results without cells need no temporaries, however large these are.
void return_if_empty(const std::vector<TensorBytes> &outputs, const std::string &success, Writer &out) {
  std::vector<std::string> empty;
  for (const TensorBytes &output : outputs)
    if (!is_number(output.bytes))
      empty.push_back(output.bytes + " == 0");
    else if (output.bytes != "0")
      return;
  if (!empty.empty()) {
    out.line(fmt::format("if ({})", fmt::join(empty, " && ")));
    out.indented(success);
  }
}

void emit_allocations(const Workspace &workspace, const std::vector<TensorBytes> &pieces,
                      const std::string &failure, Prelude &prelude, Writer &out) {
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const HeapPiece &piece = workspace.pieces[i];
    out.line(fmt::format("{} *restrict {} = {}({});",
                         piece.is_plain() ? info(piece.temporaries[0].elem).c_type : "void", piece.c_name,
                         prelude.index_function("alloc"), pieces[i].bytes));
  }
  const std::vector<std::string> null = null_checks(pieces);
  if (null.empty())
    return;
  out.open(fmt::format("if ({}) {{", fmt::join(null, " || ")));
  for (std::size_t i = 0; pieces.size() > 1 && i < pieces.size(); ++i)
    out.line("free(" + pieces[i].c_name + ");");
  out.line(failure);
  out.close();
}

} // namespace

void emit_size_checks(const lowering::LoopKernel &kernel, const Scope &scope, NameScope &names,
                      const ErrorCodes &codes, Prelude &prelude, Writer &out) {
  EntryChecks checks(scope, names, codes, prelude, out);
  checks.sizes(kernel);
  checks.where(kernel.assumptions);
}

void emit_entry_checks(const lowering::LoopKernel &kernel, const Workspace &workspace, const Scope &scope,
                       NameScope &names, const ErrorCodes &codes, Prelude &prelude, Writer &out) {
  EntryChecks checks(scope, names, codes, prelude, out);
  checks.sizes(kernel);
  checks.where(kernel.assumptions);

  std::vector<TensorBytes> inputs, outputs, pieces;
  for (const Param &param : kernel.params)
    if (param.kind == Param::Kind::tensor && !param.type.shape.empty())
      inputs.push_back(checks.tensor(scope.buffers.at(param.name).name, param.type.elem, param.type.shape));
  for (const lowering::Buffer &output : kernel.outputs)
    outputs.push_back(checks.tensor(scope.buffers.at(output.name).name, output.elem, output.dims));
  if (!workspace.threads.empty())
    out.line(fmt::format("const int {} = {}();", workspace.threads, prelude.index_function("threads")));
  for (const HeapPiece &piece : workspace.pieces)
    pieces.push_back(checks.piece(piece, workspace.threads));
  checks.too_large();

  std::vector<TensorBytes> pointers = inputs;
  pointers.insert(pointers.end(), outputs.begin(), outputs.end());
  checks.null_pointers(pointers);
  checks.overlap(inputs, outputs);
  if (!pieces.empty())
    return_if_empty(outputs, checks.fails(RuntimeError::ok), out);
  emit_allocations(workspace, pieces, checks.fails(RuntimeError::out_of_memory), prelude, out);
}

void emit_exit(const Workspace &workspace, const ErrorCodes &codes, Writer &out) {
  for (const HeapPiece &piece : workspace.pieces)
    out.line("free(" + piece.c_name + ");");
  out.line("return " + codes(RuntimeError::ok) + ";");
}

} // namespace atl::cbackend
