#include "proofs/reader/nest.h"

#include "atl/index/facts.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace atl::proofs::reader {

using namespace lowering;

// What follows the body is not read.
void Nest::body(Statements &in) {
  if (tokens_)
    text(kernel_.hardware->begin, in);
  block(kernel_.body, in);
  if (tokens_)
    text(kernel_.hardware->finish, in);
}

// A part runs if its condition holds and no earlier one does: then what its branch says must hold, and
// nothing else runs.
void Nest::choice(const std::vector<std::string> &parts, const std::vector<std::string> &arguments,
                  Statements &in) {
  const auto runs = [&](const CStmt &s, const std::string &part) {
    return s.kind == CStmt::Kind::result && calls(*s.value, part, arguments.size()) &&
           std::equal(arguments.begin(), arguments.end(), s.value->args.begin(),
                      [](const std::string &name, const CExpr &c) { return is_name(c, name); });
  };
  Pred none_before = truth(true);
  for (std::size_t i = 0; i < parts.size(); ++i, in.skip()) {
    const If *branch = std::get_if<If>(&kernel_.body.at(i).node);
    const CStmt *s = in.peek();
    if (!branch || !s)
      in.fail("the loop nest has another part here");
    Pred when = truth(true);
    if (s->kind == CStmt::Kind::branch) {
      around_.known.push_back(none_before);
      CNames by = names();
      when = read_pred(*s->value, by);
      around_.known.pop_back();
      s = s->body.size() == 1 ? s->body.data() : nullptr;
    }
    if (!s || !runs(*s, parts[i]) || canonical(conj(none_before, when)) != canonical(branch->pred))
      in.fail(fmt::format("the loop nest has 'if ({})' here", to_string(branch->pred)));
    none_before = conj(none_before, positive_form(neg(when)));
  }
  if (none_before->op != PredOp::truth || none_before->value)
    in.fail("for some sizes, no part runs");
}

void Nest::block(Block body, Statements &in) {
  if (tokens_)
    prefetches(in);
  for (const Stmt &s : body) {
    pointers(in);
    match(s, [&](const auto &node) { stmt(node, in); });
  }
}

void Nest::stmt(const For &loop, Statements &in) {
  if (tokens_ && loop.lanes)
    return lanes(*loop.lanes, in);
  if (tokens_ && loop.total)
    return total(*loop.total, in);
  const BlockCode *code = tokens_ ? loop.block.get() : nullptr;
  if (code)
    beside(*code, in);
  if (code && code->replaces)
    return;
  Runs before = runs_;
  marks(loop, in);
  const CStmt *s = in.peek(CStmt::Kind::loop);
  if (!s)
    in.fail(fmt::format("the loop nest has the loop of {} here", loop.var));
  same(*s->from, loop.lo);
  bool shadows = std::count(around_.loops.begin(), around_.loops.end(), loop.var) > 0;
  if (shadows || around_.buffers.contains(loop.var))
    in.fail(fmt::format("the loop nest has two {}", loop.var));
  scope_.open();
  scope_.declare(s->text, {Variable::Kind::index, loop.var}, s->at);
  around_.loops.push_back(loop.var);
  same(*s->value, loop.hi);
  if (mentions(loop.lo, loop.var) || mentions(loop.hi, loop.var))
    in.fail("the bounds of a loop depend on its own variable");
  around_.known.push_back(in_range(loop.lo, variable(loop.var), loop.hi));
  around_.spans[loop.var] = values_of(loop);
  bool starts_nonnegative = is_nonnegative(loop.lo);
  if (starts_nonnegative)
    around_.nonnegative.insert(loop.var);
  parallel_ += loop.mode == LoopMode::parallel;
  Statements inner(s->body, s->at);
  if (code)
    block(code->inside, inner);
  block(loop.body, inner);
  if (code)
    block(code->at_end, inner);
  if (code && code->fence_at_end)
    text(kernel_.hardware->finish, inner);
  inner.expect_end();
  parallel_ -= loop.mode == LoopMode::parallel;
  if (starts_nonnegative)
    around_.nonnegative.erase(loop.var);
  around_.spans.erase(loop.var);
  around_.known.pop_back();
  around_.loops.pop_back();
  scope_.close();
  runs_ = before;
  in.skip();
}

// From the least value of its lower bound; any values, if it does not run.
Span64 Nest::values_of(const For &loop) const {
  const auto lo = span_of(loop.lo, around_.spans), hi = span_of(loop.hi, around_.spans);
  const std::int64_t first = lo ? lo->least : least_number, end = hi ? hi->greatest : greatest_number;
  return {first, std::max(first, end == least_number ? least_number : end - 1)};
}

void Nest::stmt(const If &branch, Statements &in) {
  const CStmt *s = in.peek(CStmt::Kind::branch);
  if (!s)
    in.fail(fmt::format("the loop nest has 'if ({})' here", to_string(branch.pred)));
  same(*s->value, branch.pred);
  around_.known.push_back(branch.pred);
  scope_.open();
  Statements inner(s->body, s->at);
  block(branch.body, inner);
  inner.expect_end();
  scope_.close();
  around_.known.pop_back();
  in.skip();
}

// += and *= are C's own only for floats; otherwise the cell is read, combined and stored.
void Nest::stmt(const Store &store, Statements &in) {
  const CStmt *s = in.peek(CStmt::Kind::assignment);
  if (!s)
    in.fail(fmt::format("the loop nest has a store to {} here", store.buffer));
  same_cell(*s->target, store.buffer, store.indices);
  Elem elem = around_.buffers.at(store.buffer)->elem;
  if (!store.value->type || store.value->type->elem != elem)
    in.fail("the loop nest stores a value of another type");
  bool plain = s->text == "=";
  if (!store.combine && plain) {
    same_summand(*s->value, store.value);
  } else if (!store.combine) {
    in.fail("the loop nest has '=' here");
  } else if (const ScalarOp &op = combiner(*store.combine); plain) {
    same_operation(*s->value, op, elem);
    same_cell(s->value->args[0], store.buffer, store.indices);
    same_summand(s->value->args[1], store.value);
  } else {
    if (!is_float(elem) || s->text != std::string(op.name) + "=")
      in.fail(fmt::format("the loop nest combines with '{}' here", op.name));
    same_summand(*s->value, store.value);
  }
  in.skip();
}

void Nest::stmt(const Alloc &alloc, Statements &in) {
  const CStmt *s = in.peek(CStmt::Kind::block);
  if (alloc.storage == Alloc::Storage::heap || !s)
    return alloc_here(alloc, in);
  scope_.open();
  Statements inner(s->body, s->at);
  alloc_here(alloc, inner);
  inner.expect_end();
  scope_.close();
  in.skip();
}

void Nest::alloc_here(const Alloc &alloc, Statements &in) {
  const Buffer *buffer = &alloc.buffer;
  if (around_.buffers.contains(buffer->name) ||
      std::count(around_.loops.begin(), around_.loops.end(), buffer->name) > 0)
    in.fail(fmt::format("the loop nest has two {}", buffer->name));
  around_.buffers[buffer->name] = buffer;
  bool first_is_read = false;
  const bool is_kept = tokens_ && !buffer->memory.empty(); // in the hardware's own memory
  if (is_kept) {
    registers(alloc, in);
  } else if (alloc.storage == Alloc::Storage::heap) {
    heap_[buffer] = {&alloc, around_.loops.size(), parallel_ > 0, false};
  } else {
    const CStmt *s = in.peek(CStmt::Kind::declaration);
    if (!s)
      in.fail(fmt::format("the loop nest has the temporary {} here", buffer->name));
    bool is_value = alloc.storage == Alloc::Storage::scalar;
    first_is_read = is_value && declare_value(alloc, *s);
    if (!is_value)
      declare_array(alloc, *s);
    in.skip();
    skip_unused(s->declaration.name, in);
  }
  if (!is_kept)
    block(Block(alloc.body).subspan(first_is_read ? 1 : 0), in);
  heap_.erase(buffer);
  around_.buffers.erase(buffer->name);
}

// (void)x;
void Nest::skip_unused(const std::string &c_name, Statements &in) {
  if (const CStmt *s = in.peek(CStmt::Kind::unused); s && s->text == c_name)
    in.skip();
}

// float acc = 0.0f; is the declaration and the first store.
bool Nest::declare_value(const Alloc &alloc, const CStmt &s) {
  const CDeclaration &d = s.declaration;
  if (d.is_pointer || d.elements || d.type != info(alloc.buffer.elem).c_type || (d.is_const && !d.value))
    throw Difference(
        s.at, fmt::format("the loop nest has the {} {} here", name(alloc.buffer.elem), alloc.buffer.name));
  scope_.declare(d.name, {Variable::Kind::value, alloc.buffer.name, &alloc.buffer}, s.at);
  if (!d.value)
    return false;
  const Store *first = alloc.body.empty() ? nullptr : std::get_if<Store>(&alloc.body.front().node);
  if (!first || first->buffer != alloc.buffer.name || first->combine || !first->value->type ||
      first->value->type->elem != alloc.buffer.elem)
    throw Difference(d.value->at,
                     fmt::format("{} does not begin with a store in the loop nest", alloc.buffer.name));
  same_summand(*d.value, first->value);
  return true;
}

void Nest::declare_array(const Alloc &alloc, const CStmt &s) {
  const CDeclaration &d = s.declaration;
  std::int64_t elements = 1;
  for (const Index &extent : alloc.capacity)
    elements *= std::max<std::int64_t>(evaluate(extent, {}).value_or(0), 0);
  bool right = !d.is_const && !d.is_pointer && !d.value && d.elements &&
               d.type == info(alloc.buffer.elem).c_type &&
               read_integer(*d.elements) == std::max<std::int64_t>(elements, 1);
  if (!right)
    throw Difference(s.at, fmt::format("the loop nest has {} of {} {} here", alloc.buffer.name, elements,
                                       name(alloc.buffer.elem)));
  scope_.declare(d.name, {Variable::Kind::memory, alloc.buffer.name, &alloc.buffer}, s.at);
}

// Pointers to pieces of the heap memory; which temporary is there is seen when it is used.
void Nest::pointers(Statements &in) {
  for (const CStmt *s = in.peek(CStmt::Kind::declaration); s && s->declaration.is_pointer;
       s = in.peek(CStmt::Kind::declaration)) {
    declare_pointer(*s);
    in.skip();
    skip_unused(s->declaration.name, in);
  }
}

// float *x = shared; or, in a parallel loop, float *x = atl_part(parts, parts_bytes, threads);
void Nest::declare_pointer(const CStmt &s) {
  const CDeclaration &d = s.declaration;
  const CExpr *from = d.value ? &*d.value : nullptr;
  bool is_part = from && calls(*from, "atl_part", 3);
  const CExpr *base = is_part ? from->args.data() : from;
  if (d.is_const || d.elements || !base || base->kind != CExpr::Kind::name ||
      scope_.at(base->text, base->at).kind != Variable::Kind::shared)
    throw Difference(s.at, "the loop nest has no such memory");
  Piece &piece = piece_named(base->text, base->at);
  if (is_part && (!is_name(from->args[1], piece.bytes_name) || !is_name(from->args[2], entry_.threads)))
    throw Difference(from->at, "the part of a thread begins elsewhere");
  if (is_part != piece.per_thread)
    throw Difference(from->at, "each thread has a part of this memory");
  piece.is_restrict = piece.is_restrict || d.is_restrict;
  scope_.declare(d.name, {Variable::Kind::memory, d.type, nullptr, piece.c_name, around_.loops.size()}, s.at);
}

Piece &Nest::piece_named(const std::string &c_name, std::uint32_t at) {
  for (Piece &piece : entry_.pieces)
    if (piece.c_name == c_name)
      return piece;
  throw Difference(at, fmt::format("{} is no allocated memory", c_name));
}

// It says what the branches around this place say.
bool Nest::holds_here(const Pred &condition) const {
  std::set<std::string> known;
  for (const Pred &p : around_.known)
    for (const Pred &part : conjuncts(p))
      known.insert(canonical(part));
  std::vector<Pred> parts = conjuncts(condition);
  return std::all_of(parts.begin(), parts.end(), [&](const Pred &p) { return known.contains(canonical(p)); });
}

// It is large enough, and nobody else uses it at the same time.
void Nest::use(Piece &piece, const Buffer &buffer, std::uint32_t at) {
  const Alloc &alloc = *heap_.at(&buffer).alloc;
  bool fits = std::any_of(piece.largest_of.begin(), piece.largest_of.end(), [&](const Region &region) {
    return (!region.when || holds_here(region.when)) &&
           is_room_for(region, buffer.elem, alloc.capacity, entry_.spans);
  });
  if (!fits)
    throw Difference(at, fmt::format("the memory of {} may be too small", buffer.name));
  for (const Buffer *other : piece.users) {
    Life a = lives_[other], b = lives_[&buffer];
    if (piece.is_restrict || (a.first <= b.last && b.first <= a.last))
      throw Difference(at, fmt::format("{} and {} are in the same place", other->name, buffer.name));
  }
  piece.users.push_back(&buffer);
}

// The first access to heap memory says which temporary is there.
void Nest::bind(Variable &memory, const Buffer &buffer, const CExpr &c) {
  auto found = heap_.find(&buffer);
  if (found == heap_.end() || found->second.is_bound)
    throw Difference(c.at, fmt::format("the loop nest has {} here", buffer.name));
  Place &place = found->second;
  Piece &piece = piece_named(memory.piece, c.at);
  std::string_view type = piece.elem ? info(*piece.elem).c_type : std::string_view(memory.name);
  if (type != info(buffer.elem).c_type || (piece.elem && !piece.users.empty()))
    throw Difference(c.at, fmt::format("the loop nest has {} here", buffer.name));
  if (piece.per_thread != place.in_parallel || (piece.per_thread && memory.loops != place.loops))
    throw Difference(c.at, "each thread needs a part of its own for what is allocated in a parallel loop");
  use(piece, buffer, c.at);
  place.is_bound = true;
  memory.buffer = &buffer;
}

// As many threads as there are parts of temporaries. Of nested parallel loops the outermost runs on threads,
// of nested vectorized ones the outermost in vectors.
void Nest::marks(const For &loop, Statements &in) {
  if (loop.mode == LoopMode::parallel && !runs_.threads && !runs_.vectors) {
    runs_.threads = true;
    thread_marks(loop, in);
  }
  if (loop.mode == LoopMode::vectorized && !runs_.vectors) {
    runs_.vectors = true;
    const CStmt *s = in.peek(CStmt::Kind::mark);
    if (!s || s->text != "atl_vectorize")
      in.fail("the loop nest has a vectorized loop here");
    in.skip();
  }
}

void Nest::thread_marks(const For &loop, Statements &in) {
  std::string threads = entry_.threads.empty() ? "" : fmt::format(" num_threads({})", entry_.threads);
  auto expect = [&](const std::string &text) {
    const CStmt *s = in.peek(CStmt::Kind::mark);
    if (!s || s->text != text)
      in.fail(fmt::format("'{}' is expected before a parallel loop", text));
    in.skip();
  };
  expect("#ifdef _OPENMP");
  const std::string together = "#pragma omp parallel for collapse(2)" + threads;
  if (const CStmt *s = in.peek(CStmt::Kind::mark); s && s->text == together && can_be_counted_together(loop))
    in.skip();
  else
    expect("#pragma omp parallel for" + threads);
  expect("#endif");
}

// OpenMP computes the number of all iterations in 64 bits, before it begins.
bool Nest::can_be_counted_together(const For &loop) const {
  const For *inner = loop.body.size() == 1 ? std::get_if<For>(&loop.body[0].node) : nullptr;
  if (!inner || inner->mode != LoopMode::parallel || mentions(inner->lo, loop.var) ||
      mentions(inner->hi, loop.var))
    return false;
  return span_of(mul(sub(loop.hi, loop.lo), sub(inner->hi, inner->lo)), entry_.spans).has_value();
}

} // namespace atl::proofs::reader
