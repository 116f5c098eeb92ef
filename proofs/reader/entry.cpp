#include "proofs/reader/entry.h"

#include "proofs/reader/conditions.h"
#include "proofs/reader/limits.h"
#include "proofs/reader/scalars.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace atl::proofs::reader {

using namespace lowering;
using Kind = CExpr::Kind;

namespace {

// Bytes as a variable of the C holds them: of one tensor, or the largest of several, perhaps for each thread.
struct Bytes {
  std::vector<Region> largest_of;
  bool per_thread = false, may_fail = false;
};

class EntryReader {
public:
  EntryReader(const LoopKernel &kernel, const std::string &codes, std::uint32_t file, Scope &scope,
              Statements &in, std::vector<Obligation> &conditions)
      : kernel_(kernel), codes_(codes), file_(file), scope_(scope), in_(in), conditions_(conditions) {}

  Entry run() {
    for (; in_.peek(CStmt::Kind::unused); in_.skip())
      scope_.at(in_.peek()->text, in_.at());
    sizes();
    where();
    while (in_.peek(CStmt::Kind::declaration) && declares_number())
      in_.skip();
    too_large();
    null_pointers();
    overlaps();
    const std::uint32_t at = in_.at();
    const bool returns = returns_if_empty();
    allocations();
    if (!returns && !entry_.pieces.empty() && can_be_empty())
      throw Difference(at, "temporaries are allocated unless there is nothing to compute");
    return std::move(entry_);
  }

  Entry run_sizes() {
    sizes();
    where();
    return std::move(entry_);
  }

private:
  // The disjuncts of `if (...) return CODE;`, if it is the next statement.
  std::vector<const CExpr *> refusals(const char *code) {
    std::vector<const CExpr *> all;
    const CStmt *s = in_.peek(CStmt::Kind::branch);
    if (s && s->body.size() == 1 && s->body[0].kind == CStmt::Kind::result &&
        is_name(*s->body[0].value, codes_ + code)) {
      disjuncts(*s->value, all);
      in_.skip();
    }
    return all;
  }

  void require(bool right, const std::vector<const CExpr *> &found, std::size_t number,
               const std::string &what) {
    if (right)
      return;
    if (number < found.size())
      throw Difference(found[number]->at, what + " is to be checked here");
    in_.fail(what + " is not checked");
  }

  CNames names() {
    return {[this](const CExpr &c) {
              const Variable &v = scope_.at(c.text, c.at);
              if (v.kind != Variable::Kind::index)
                throw Difference(c.at, fmt::format("{} is no size", c.text));
              return v.name;
            },
            [this](const Truncated &division) {
              auto span = span_of(division.dividend, entry_.spans);
              if (!span || span->least < 0)
                conditions_.push_back(nonnegative(kernel_, file_, division, {}, known_));
            }};
  }

  void sizes() {
    std::vector<const CExpr *> found = refusals("_SIZE_OUT_OF_RANGE");
    std::size_t next = 0;
    Spans all = limits(kernel_);
    for (const Param &p : kernel_.params) {
      if (p.kind != Param::Kind::size)
        continue;
      Span64 span = all.at(p.name);
      compared(found, next++, "<", p.name, 0);
      known_.push_back(conj(compare(PredOp::ge, variable(p.name), constant(0)),
                            compare(PredOp::le, variable(p.name), constant(span.greatest))));
      if (span.greatest != std::numeric_limits<std::int64_t>::max())
        compared(found, next++, ">", p.name, span.greatest);
    }
    require(next >= found.size(), found, next, "nothing else");
    entry_.spans = std::move(all);
  }

  void compared(const std::vector<const CExpr *> &found, std::size_t number, const char *op,
                const std::string &size, std::int64_t limit) {
    CNames by = names();
    bool right = number < found.size() && is_infix(*found[number], op) &&
                 found[number]->args[0].kind == Kind::name && by.variable(found[number]->args[0]) == size &&
                 read_integer(found[number]->args[1]) == limit;
    require(right, found, number, fmt::format("{} {} {}", size, op, limit));
  }

  void where() {
    if (in_.peek(CStmt::Kind::declaration))
      declares_flag();
    std::vector<const CExpr *> found = refusals("_WHERE_VIOLATED");
    std::size_t next = 0;
    for (const Pred &p : clauses(kernel_)) {
      Spans before = entry_.spans;
      if (!narrow(before, p))
        next += clause(found, next, p);
      narrow(entry_.spans, p);
      known_.push_back(p);
    }
    require(next >= found.size(), found, next, "nothing else");
  }

  // How many disjuncts say that p is violated: one, or two if its evaluation may need too many bits.
  std::size_t clause(const std::vector<const CExpr *> &found, std::size_t number, const Pred &p) {
    std::string what = to_string(p);
    require(number < found.size(), found, number, what);
    CNames by = names();
    by.checked = true;
    Pred q = read_pred(*found[number], by);
    if (by.flags.empty()) {
      require(negates(q, p) && fits(q, entry_.spans), found, number, what);
      return 1;
    }
    bool flagged = number + 1 < found.size() && is_negated(*found[number + 1], flag_) &&
                   all_fit(*found[number]) && all_flags(by.flags);
    require(flagged && q->op == PredOp::neg && canonical(q->a) == canonical(p), found, number, what);
    return 2;
  }

  bool all_flags(const std::vector<std::string> &flags) const {
    return std::all_of(flags.begin(), flags.end(), [&](const std::string &f) { return f == flag_; });
  }

  // Every operation is safe for all sizes, or has a check of its own, and so for what it is made of.
  bool all_fit(const CExpr &c) {
    if (c.kind == Kind::call && c.text.starts_with("atl_checked_"))
      return all_fit(c.args[0]) && all_fit(c.args[1]);
    bool logical = c.text == "&&" || c.text == "||" || c.text == "!";
    bool compares =
        c.kind == Kind::infix && std::string_view("== != <= >=").find(c.text) != std::string_view::npos;
    bool selects = c.kind == Kind::call && (c.text == "atl_min" || c.text == "atl_max");
    if (logical || compares || selects)
      return std::all_of(c.args.begin(), c.args.end(), [&](const CExpr &part) { return all_fit(part); });
    if (is_name(c, "true") || is_name(c, "false"))
      return true;
    CNames by = names();
    return span_of(read_index(c, by), entry_.spans).has_value();
  }

  bool declares_flag() {
    const CDeclaration &d = in_.peek()->declaration;
    bool is_flag = d.type == "bool" && !d.is_const && !d.is_pointer && !d.elements && d.value &&
                   is_name(*d.value, "true") && flag_.empty();
    if (!is_flag)
      return false;
    flag_ = d.name;
    scope_.declare(d.name, {Variable::Kind::internal}, in_.at());
    in_.skip();
    return true;
  }

  // const int64_t x_bytes = ...; const int threads = atl_threads();
  bool declares_number() {
    if (flag_.empty() && declares_flag())
      return in_.peek(CStmt::Kind::declaration) && declares_number();
    const CDeclaration &d = in_.peek()->declaration;
    bool is_count = d.type == "int" && entry_.threads.empty() && d.value && calls(*d.value, "atl_threads", 0);
    bool is_bytes = d.type == "int64_t" && d.value && d.name.find("_bytes") != std::string::npos;
    if (!d.is_const || d.is_pointer || d.elements || (!is_count && !is_bytes))
      return false;
    scope_.declare(d.name, {Variable::Kind::internal}, in_.at());
    if (is_count)
      entry_.threads = d.name;
    else
      bytes_[d.name] = bytes_of(*d.value);
    return true;
  }

  // A value that may be -1 is checked under its name, so that it is no part of another.
  Bytes bytes_of(const CExpr &c) {
    if (auto known = bytes_.find(c.text); c.kind == Kind::name && known != bytes_.end())
      return known->second;
    if (calls(c, "atl_max", 2) && mentions_bytes(c)) {
      Bytes a = bytes_of(c.args[0]), b = bytes_of(c.args[1]);
      a.largest_of.insert(a.largest_of.end(), b.largest_of.begin(), b.largest_of.end());
      return {a.largest_of, false, false};
    }
    if (calls(c, "atl_for_threads", 2) && !entry_.threads.empty() && is_name(c.args[1], entry_.threads))
      return {bytes_of(c.args[0]).largest_of, true, true};
    if (calls(c, "atl_bytes", 3))
      return {{extents_of(c)}, false, true};
    if (calls(c, "atl_bytes_of", 2))
      return {{elements_of(c)}, false, true};
    if (calls(c, "atl_when", 2))
      return bytes_when(c.args[0], bytes_of(c.args[1]));
    CNames by = names();
    Region all;
    all.product = read_index(c, by);
    all.is_safe = span_of(all.product, entry_.spans).has_value();
    return {{all}, false, false};
  }

  Bytes bytes_when(const CExpr &condition, Bytes bytes) {
    CNames by = names();
    Pred when = read_pred(condition, by);
    if (bytes.largest_of.size() != 1 || bytes.largest_of[0].when || !fits(when, entry_.spans))
      throw Difference(condition.at, "the bytes of a tensor are expected");
    bytes.largest_of[0].when = when;
    return bytes;
  }

  bool mentions_bytes(const CExpr &c) const {
    return (c.kind == Kind::name && bytes_.contains(c.text)) ||
           std::any_of(c.args.begin(), c.args.end(), [&](const CExpr &part) { return mentions_bytes(part); });
  }

  Region extents_of(const CExpr &c) {
    Region region;
    if (c.args[0].kind != Kind::size_of || c.args[2].kind != Kind::array ||
        read_integer(c.args[1]) != static_cast<std::int64_t>(c.args[2].args.size()))
      throw Difference(c.at, "the bytes of a tensor are expected");
    for (const ElemInfo &row : elem_table)
      if (row.c_type == c.args[0].text)
        region.element = row.bits / 8;
    for (const CExpr &extent : c.args[2].args) {
      CNames by = names();
      by.checked = true;
      region.extents.push_back(read_index(extent, by));
      needs_flag_ = needs_flag_ || !by.flags.empty();
      if (!all_fit(extent) || !all_flags(by.flags))
        throw Difference(extent.at, "this extent may need more than 64 bits");
    }
    region.is_safe = true;
    return region;
  }

  // How many they are fits into 64 bits; whether their bytes do is checked.
  Region elements_of(const CExpr &c) {
    CNames by = names();
    Region region;
    for (const ElemInfo &row : elem_table)
      if (c.args[0].kind == Kind::size_of && row.c_type == c.args[0].text)
        region.element = row.bits / 8;
    region.count = read_index(c.args[1], by);
    region.is_safe = span_of(region.count, entry_.spans).has_value();
    if (region.element == 0 || !region.is_safe)
      throw Difference(c.at, "the bytes of a tensor are expected");
    return region;
  }

  void too_large() {
    std::set<std::string> expected, got;
    for (const auto &[name, bytes] : bytes_)
      if (bytes.may_fail)
        expected.insert(name);
    if (needs_flag_)
      expected.insert("!" + flag_);
    std::uint32_t at = in_.at();
    for (const CExpr *c : refusals("_TOO_LARGE"))
      if (is_negated(*c, flag_))
        got.insert("!" + flag_);
      else if (is_infix(*c, "<") && c->args[0].kind == Kind::name && read_integer(c->args[1]) == 0)
        got.insert(c->args[0].text);
      else
        throw Difference(c->at, "a number of bytes is to be checked here");
    if (expected != got)
      throw Difference(at, "it is not checked that every tensor has less than 2^63 bytes");
  }

  struct Tensor {
    std::string c_name;
    Elem elem;
    Shape shape;
  };

  bool are_bytes_of(const CExpr &c, const Tensor &t) {
    Bytes bytes = bytes_of(c);
    return !bytes.per_thread && bytes.largest_of.size() == 1 && !bytes.largest_of[0].when &&
           has_bytes_of(bytes.largest_of[0], t.elem, t.shape, entry_.spans);
  }

  // The same number for all sizes, if there is one.
  std::optional<std::int64_t> constant_bytes(const Tensor &t) const {
    auto all = span_of(bytes_in(t.elem, t.shape), entry_.spans);
    bool is_constant = all && all->least == all->greatest && never_negative(t.shape, entry_.spans);
    return is_constant ? std::optional(all->least) : std::nullopt;
  }

  void null_pointers() {
    std::vector<const CExpr *> found = refusals("_NULL_POINTER");
    std::size_t next = 0;
    for (const Tensor &t : all_tensors()) {
      bool right = next < found.size() && is_null_check(*found[next], t);
      if (!right && constant_bytes(t) == 0)
        continue; // it needs none
      require(right, found, next++, fmt::format("the pointer {}", t.c_name));
    }
    require(next >= found.size(), found, next, "nothing else");
  }

  bool is_null_check(const CExpr &c, const Tensor &t) {
    auto is_null = [&](const CExpr &e) {
      return is_infix(e, "==") && is_name(e.args[0], t.c_name) && is_name(e.args[1], "NULL");
    };
    if (is_null(c))
      return constant_bytes(t).value_or(0) > 0;
    return is_infix(c, "&&") && is_null(c.args[0]) && is_infix(c.args[1], ">") &&
           are_bytes_of(c.args[1].args[0], t) && read_integer(c.args[1].args[1]) == 0;
  }

  void overlaps() {
    std::vector<const CExpr *> found = refusals("_OVERLAP");
    std::size_t next = 0;
    std::vector<Tensor> others = inputs_;
    for (const Tensor &output : outputs_) {
      for (const Tensor &other : others) {
        bool right = next < found.size() && calls(*found[next], "atl_overlap", 4) &&
                     is_name(found[next]->args[0], output.c_name) &&
                     are_bytes_of(found[next]->args[1], output) &&
                     is_name(found[next]->args[2], other.c_name) && are_bytes_of(found[next]->args[3], other);
        require(right, found, next++, fmt::format("the overlap of {} and {}", output.c_name, other.c_name));
      }
      others.push_back(output);
    }
    require(next >= found.size(), found, next, "nothing else");
  }

  bool can_be_empty() const {
    return std::none_of(outputs_.begin(), outputs_.end(),
                        [&](const Tensor &t) { return constant_bytes(t).value_or(0) > 0; }) &&
           std::any_of(outputs_.begin(), outputs_.end(), [&](const Tensor &t) { return !constant_bytes(t); });
  }

  // if (out_bytes == 0 && ...) return OK; with all outputs that can have cells.
  bool returns_if_empty() {
    const CStmt *s = in_.peek(CStmt::Kind::branch);
    if (!s || s->body.size() != 1 || s->body[0].kind != CStmt::Kind::result ||
        !is_name(*s->body[0].value, codes_ + "_OK"))
      return false;
    std::vector<const CExpr *> found;
    conjuncts(*s->value, found);
    std::size_t next = 0;
    for (const Tensor &t : outputs_) {
      const bool right = next < found.size() && is_infix(*found[next], "==") &&
                         are_bytes_of(found[next]->args[0], t) && read_integer(found[next]->args[1]) == 0;
      if (right || constant_bytes(t) != 0)
        require(right, found, next++, fmt::format("that {} is empty", t.c_name));
    }
    require(next >= found.size(), found, next, "nothing else");
    in_.skip();
    return true;
  }

  // T *restrict x = atl_alloc(x_bytes); ... and the check of all of them.
  void allocations() {
    for (; const CStmt *s = in_.peek(CStmt::Kind::declaration); in_.skip()) {
      const CDeclaration &d = s->declaration;
      if (!d.value || d.value->kind != Kind::call || d.value->text != "atl_alloc" ||
          d.value->args.size() != 1)
        break;
      if (d.is_const || !d.is_restrict || d.elements)
        in_.fail("allocated memory is declared otherwise");
      entry_.pieces.push_back(piece(d));
      const Piece &p = entry_.pieces.back();
      scope_.declare(d.name, {p.elem ? Variable::Kind::memory : Variable::Kind::shared, "", nullptr, d.name},
                     s->at);
    }
    const auto is_empty = [](const Piece &p) { return p.is_empty; };
    if (std::all_of(entry_.pieces.begin(), entry_.pieces.end(), is_empty))
      return;
    const CStmt *s = in_.peek(CStmt::Kind::branch);
    if (!s || !all_null(*s->value) || !frees_and_returns(s->body))
      in_.fail("it is not checked that there is memory");
    in_.skip();
  }

  Piece piece(const CDeclaration &d) {
    const CExpr &amount = d.value->args[0];
    Bytes bytes = bytes_of(amount);
    Piece p{d.name, bytes.largest_of, bytes.per_thread, amount.kind == Kind::name ? amount.text : "", {}};
    for (const ElemInfo &row : elem_table)
      if (row.c_type == d.type)
        p.elem = row.elem;
    if (!p.elem && d.type != "void")
      in_.fail("memory of an unknown type");
    p.is_empty = read_integer(amount) == 0;
    return p;
  }

  bool all_null(const CExpr &c) const {
    std::vector<const CExpr *> found;
    disjuncts(c, found);
    std::vector<const Piece *> needed;
    for (const Piece &p : entry_.pieces)
      if (!p.is_empty)
        needed.push_back(&p);
    return std::equal(found.begin(), found.end(), needed.begin(), needed.end(),
                      [](const CExpr *check, const Piece *p) { return is_missing(*check, *p); });
  }

  // It is null, if it has any bytes.
  static bool is_missing(const CExpr &c, const Piece &piece) {
    if (is_infix(c, "&&"))
      return is_missing(c.args[0], piece) && is_infix(c.args[1], ">") && !piece.bytes_name.empty() &&
             is_name(c.args[1].args[0], piece.bytes_name) && read_integer(c.args[1].args[1]) == 0;
    return is_infix(c, "==") && is_name(c.args[0], piece.c_name) && is_name(c.args[1], "NULL");
  }

  bool frees_and_returns(const std::vector<CStmt> &body) const {
    std::size_t freed = entry_.pieces.size() > 1 ? entry_.pieces.size() : 0; // a single one is null
    if (body.size() != freed + 1)
      return false;
    for (std::size_t i = 0; i < freed; ++i)
      if (body[i].kind != CStmt::Kind::call || !calls(*body[i].value, "free", 1) ||
          !is_name(body[i].value->args[0], entry_.pieces[i].c_name))
        return false;
    return body.back().kind == CStmt::Kind::result && is_name(*body.back().value, codes_ + "_OUT_OF_MEMORY");
  }

  std::vector<Tensor> all_tensors() const {
    std::vector<Tensor> all = inputs_;
    all.insert(all.end(), outputs_.begin(), outputs_.end());
    return all;
  }

public:
  void add_tensor(const std::string &c_name, Elem elem, const Shape &shape, bool is_output) {
    (is_output ? outputs_ : inputs_).push_back({c_name, elem, shape});
  }

private:
  const LoopKernel &kernel_;
  const std::string &codes_;
  std::uint32_t file_;
  Scope &scope_;
  Statements &in_;
  std::vector<Obligation> &conditions_;
  Entry entry_;
  std::vector<Pred> known_; // what has been checked
  std::vector<Tensor> inputs_, outputs_;
  std::string flag_;
  bool needs_flag_ = false; // an extent may set it
  std::map<std::string, Bytes> bytes_;
};

} // namespace

Entry read_sizes(const LoopKernel &kernel, const std::string &codes, std::uint32_t file, Scope &scope,
                 Statements &in, std::vector<Obligation> &conditions) {
  return EntryReader(kernel, codes, file, scope, in, conditions).run_sizes();
}

Entry read_entry(const LoopKernel &kernel, const CFunction &function, const std::string &codes,
                 std::uint32_t file, Scope &scope, Statements &in, std::vector<Obligation> &conditions) {
  EntryReader reading(kernel, codes, file, scope, in, conditions);
  for (std::size_t i = 0; i < kernel.params.size(); ++i)
    if (const Param &p = kernel.params[i]; p.kind == Param::Kind::tensor && !p.type.shape.empty())
      reading.add_tensor(function.params[i].name, p.type.elem, p.type.shape, false);
  for (std::size_t i = 0; i < kernel.outputs.size(); ++i)
    reading.add_tensor(function.params[kernel.params.size() + i].name, kernel.outputs[i].elem,
                       kernel.outputs[i].dims, true);
  return reading.run();
}

void read_exit(const Entry &entry, const std::string &codes, Statements &in) {
  for (const Piece &piece : entry.pieces) {
    const CStmt *s = in.peek(CStmt::Kind::call);
    if (!s || !calls(*s->value, "free", 1) || !is_name(s->value->args[0], piece.c_name))
      in.fail(fmt::format("{} is not freed", piece.c_name));
    in.skip();
  }
  const CStmt *s = in.peek(CStmt::Kind::result);
  if (!s || !is_name(*s->value, codes + "_OK"))
    in.fail(fmt::format("{}_OK is not returned", codes));
  in.skip();
  in.expect_end();
}

} // namespace atl::proofs::reader
