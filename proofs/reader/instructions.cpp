// The C of instructions against what loops are mapped to.
#include "proofs/reader/nest.h"
#include "proofs/reader/template.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace atl::proofs::reader {

using namespace lowering;

namespace {

std::string register_name(const Register &r) {
  return fmt::format("{}[{}]", r.buffer, fmt::join(r.indices, ", "));
}

bool is_always(const Pred &p) {
  return p->op == PredOp::truth && p->value;
}

template <class Operand>
const Operand &operand_named(const std::vector<std::pair<std::string, Operand>> &operands,
                             const std::string &name, const Cursor &in) {
  for (const auto &[parameter, operand] : operands)
    if (parameter == name)
      return operand;
  in.fail(fmt::format("the instruction has no operand {}", name));
}

bool reads(const LaneOperand &operand, const std::string &local) {
  if (const Register *r = std::get_if<Register>(&operand))
    return r->buffer == local;
  const auto *call = std::get_if<std::shared_ptr<const LaneCall>>(&operand);
  return call && std::any_of((*call)->operands.begin(), (*call)->operands.end(),
                             [&](const auto &bound) { return reads(bound.second, local); });
}

// The first that touches it stores to it, whatever the lanes.
bool is_set_first(const LaneCode &code, const std::string &local) {
  for (const LaneStatement &s : code.statements) {
    if (std::visit([&](const auto &value) { return reads(value, local); }, s.value))
      return false;
    if (s.target && s.target->buffer == local)
      return is_always(s.condition);
  }
  return true;
}

// The places of a tensor's registers, in the order of their declarations.
using Places = std::vector<std::vector<std::int64_t>>;
Places places(const Buffer &buffer, std::size_t dimension = 0) {
  if (dimension + 1 >= buffer.dims.size())
    return {{}};
  Places all;
  for (std::int64_t n = 0; n < as_constant(buffer.dims[dimension]).value(); ++n)
    for (std::vector<std::int64_t> rest : places(buffer, dimension + 1)) {
      rest.insert(rest.begin(), n);
      all.push_back(rest);
    }
  return all;
}

} // namespace

Cursor Nest::tokens_at(Statements &in) const {
  if (!in.peek())
    in.fail("the loop nest has an instruction here");
  return Cursor(*tokens_, in.peek()->first_token);
}

void Nest::text(const std::string &c, Statements &in) {
  if (c.empty())
    return;
  Cursor at = tokens_at(in);
  at.same_as(tokens_of(c), "the hardware's own C");
  in.skip_to(at);
}

// __m512 a_0, a_1; or nothing for rows, which have addresses.
void Nest::registers(const Alloc &alloc, Statements &in) {
  const Buffer &buffer = alloc.buffer;
  const auto all = kernel_.hardware->has_rows() ? Places{} : places(buffer);
  if (!all.empty()) {
    Cursor at = tokens_at(in);
    at.same_as(tokens_of(kernel_.hardware->find_memory(buffer.memory)->c_types.at(buffer.elem)),
               "the type of registers");
    for (std::size_t n = 0; n < all.size(); ++n) {
      if (n > 0)
        at.expect(",");
      const std::uint32_t place = at.peek().at;
      scope_.declare(at.word(), {Variable::Kind::reg, register_name({buffer.name, all[n]})}, place);
    }
    at.expect(";");
    in.skip_to(at);
  }
  block(alloc.body, in);
}

void Nest::lanes(const LaneCode &code, Statements &in) {
  const CStmt *s = in.peek(CStmt::Kind::block);
  scope_.open();
  if (s) {
    Statements inner(s->body, s->at);
    lanes_here(code, inner);
    inner.expect_end();
    in.skip();
  } else {
    lanes_here(code, in);
  }
  scope_.close();
}

void Nest::lanes_here(const LaneCode &code, Statements &in) {
  for (const CStmt *s = in.peek(CStmt::Kind::declaration); s && s->declaration.is_const;
       s = in.peek(CStmt::Kind::declaration)) {
    named_size(*s);
    in.skip();
  }
  for (const LaneLocal &local : code.locals) {
    Cursor at = tokens_at(in);
    at.same_as(tokens_of(local.c_type), "the type of a register");
    const std::uint32_t place = at.peek().at;
    const std::string c_name = at.word();
    const bool starts = at.takes("=");
    if (starts)
      at.same_as(tokens_of("{0}"), "the start of a register");
    else if (!is_set_first(code, local.name))
      throw Difference(place, fmt::format("{} may be read before it is set", local.name));
    at.expect(";");
    scope_.declare(c_name, {Variable::Kind::reg, register_name({local.name, {}})}, place);
    in.skip_to(at);
  }
  for (const LaneStatement &s : code.statements)
    when(s.condition, in, [&](Statements &inner) { statement(s, inner); });
}

// const int64_t lanes = ...; stands for that size of instructions.
void Nest::named_size(const CStmt &s) {
  const CDeclaration &d = s.declaration;
  if (d.type != "int64_t" || d.is_pointer || d.elements || !d.value)
    throw Difference(s.at, "the loop nest has no such declaration");
  scope_.declare(d.name, {Variable::Kind::size, d.name, nullptr, {}, 0, index_of(*d.value)}, s.at);
}

// { const float total = ...; out += total; }
void Nest::total(const LaneTotal &total, Statements &in) {
  const CStmt *s = in.peek(CStmt::Kind::block);
  const std::string &name = total.scalar.name;
  if (!s || around_.buffers.contains(name))
    in.fail("the loop nest combines lanes here");
  Statements inner(s->body, s->at);
  Cursor at = tokens_at(inner);
  at.same_as(tokens_of(fmt::format("const {}", info(total.scalar.elem).c_type)),
             "the type of lanes combined");
  const std::uint32_t place = at.peek().at;
  const std::string c_name = at.word();
  at.expect("=");
  call(*total.call, at);
  at.expect(";");
  inner.skip_to(at);
  scope_.open();
  scope_.declare(c_name, {Variable::Kind::value, name, &total.scalar}, place);
  around_.buffers[name] = &total.scalar;
  stmt(total.store, inner);
  inner.expect_end();
  around_.buffers.erase(name);
  scope_.close();
  in.skip();
}

// What happens under a condition; without one there is no branch.
void Nest::when(const Pred &condition, Statements &in, const std::function<void(Statements &)> &then) {
  if (is_always(condition))
    return then(in);
  const CStmt *s = in.peek(CStmt::Kind::branch);
  if (!s)
    in.fail(fmt::format("the loop nest has 'if ({})' here", to_string(condition)));
  same(*s->value, condition);
  around_.known.push_back(condition);
  Statements inner(s->body, s->at);
  then(inner);
  inner.expect_end();
  around_.known.pop_back();
  in.skip();
}

void Nest::statement(const LaneStatement &s, Statements &in) {
  Cursor at = tokens_at(in);
  if (s.target) {
    same_register(*s.target, at);
    at.expect("=");
  }
  if (const Register *r = std::get_if<Register>(&s.value))
    same_register(*r, at);
  else
    call(*std::get<std::shared_ptr<const LaneCall>>(s.value), at);
  at.expect(";");
  in.skip_to(at);
}

void Nest::same_register(const Register &r, Cursor &in) {
  const std::uint32_t place = in.peek().at;
  const Variable &v = scope_.at(in.word(), place);
  if (v.kind != Variable::Kind::reg || v.name != register_name(r))
    throw Difference(place, fmt::format("the loop nest has the register {} here", register_name(r)));
}

void Nest::call(const LaneCall &call, Cursor &in) {
  same_template(call.instruction->c, in, [&](const Hole &hole) {
    operand(operand_named(call.operands, hole.name, in), in, hole.is_enclosed);
  });
}

// What C might tear apart there has parentheses of its own.
void Nest::kept_together(Cursor &in, bool is_enclosed, const std::function<void()> &read) {
  if (is_enclosed)
    return read();
  const std::size_t begin = in.position();
  if (in.takes("(")) {
    read();
    return in.expect(")");
  }
  read();
  if (!is_kept_together(in, begin))
    in.fail("what surrounds this operand tears it apart");
}

void Nest::operand(const LaneOperand &o, Cursor &in, bool is_enclosed) {
  std::visit(Overloaded{
                 [&](const std::shared_ptr<const LaneCall> &inner) {
                   kept_together(in, is_enclosed, [&] { call(*inner, in); });
                 },
                 [&](const Register &r) { same_register(r, in); },
                 [&](const auto &plain) { same_operand(plain, in, is_enclosed); },
             },
             o);
}

void Nest::same_operand(const FirstElement &e, Cursor &in, bool is_enclosed) {
  kept_together(in, is_enclosed, [&] {
    in.expect("&");
    same_cell(parse_postfix(in), e.buffer, e.indices, false);
  });
}

void Nest::same_operand(const RowBlock &block, Cursor &in, bool is_enclosed) {
  same_operand(block.address, in, is_enclosed);
}

void Nest::same_operand(const ExprPtr &scalar, Cursor &in, bool is_enclosed) {
  same(is_enclosed ? parse_expression(in) : parse_postfix(in), scalar);
}

void Nest::same_operand(const Index &size, Cursor &in, bool is_enclosed) {
  const CExpr c = is_enclosed ? parse_expression(in) : parse_postfix(in);
  const Variable *named = c.kind == CExpr::Kind::name ? &scope_.at(c.text, c.at) : nullptr;
  if (!named || named->kind != Variable::Kind::size)
    same(c, size);
  else if (canonical(named->stands_for) != canonical(size))
    throw Difference(c.at, fmt::format("the loop nest has {} here", to_string(size)));
}

void Nest::setting(const Setting &setting, Statements &in) {
  Cursor at = tokens_at(in);
  const std::vector<Param> &params = setting.configuration->params;
  same_template(setting.configuration->c, at, [&](const Hole &hole) {
    for (std::size_t n = 0; n < setting.values.size(); ++n)
      if (params[n].name == hole.name)
        return std::visit([&](const auto &value) { same_operand(value, at, hole.is_enclosed); },
                          setting.values[n]);
    at.fail(fmt::format("the configuration has no {}", hole.name));
  });
  in.skip_to(at);
}

void Nest::call(const BlockCall &call, Statements &in) {
  when(call.condition, in, [&](Statements &inner) {
    Cursor at = tokens_at(inner);
    same_template(call.instruction->c, at, [&](const Hole &hole) {
      std::visit([&](const auto &value) { same_operand(value, at, hole.is_enclosed); },
                 operand_named(call.operands, hole.name, at));
    });
    inner.skip_to(at);
  });
}

void Nest::beside(const BlockCode &code, Statements &in) {
  if (code.fence)
    text(kernel_.hardware->finish, in);
  for (const Setting &s : code.settings)
    setting(s, in);
  block(code.before, in);
  if (code.call)
    call(*code.call, in);
}

// What is asked for ahead has no effect on what is computed: any cell's address will do.
void Nest::prefetches(Statements &in) {
  const std::string &c = kernel_.hardware->prefetch;
  const std::vector<Token> begin = tokens_of(c);
  while (begin.size() > 1 && in.peek() && (*tokens_)[in.peek()->first_token].text == begin[0].text) {
    Cursor at = tokens_at(in);
    same_template(c, at, [&](const Hole &) { address_ahead(at); });
    at.expect(";");
    in.skip_to(at);
  }
}

// (const char *)((uintptr_t)x + sizeof *x * (uintptr_t)(i))
void Nest::address_ahead(Cursor &in) {
  auto memory = [&] {
    const std::uint32_t place = in.peek().at;
    if (scope_.at(in.word(), place).kind != Variable::Kind::memory)
      throw Difference(place, "only memory can be asked for");
  };
  const std::string what = "an address ahead";
  in.same_as(tokens_of("(const char *)((uintptr_t)"), what);
  memory();
  in.same_as(tokens_of("+ sizeof *"), what);
  memory();
  in.same_as(tokens_of("*"), what);
  wrapping(in);
  in.same_as(tokens_of(")"), what);
}

// (uintptr_t)(i) or ((uintptr_t)(i)*(uintptr_t)(N) + (uintptr_t)(j)): modulo 2^64, where each part fits.
void Nest::wrapping(Cursor &in) {
  const std::string what = "a number modulo 2^64";
  auto part = [&] {
    in.same_as(tokens_of("(uintptr_t)("), what);
    CNames by = names();
    by.truncates = [](const Truncated &) {}; // rounded either way
    const std::uint32_t place = in.peek().at;
    require_fitting(read_index(parse_expression(in), by), place, {});
    in.expect(")");
  };
  if (in.sees("(") && in.sees("uintptr_t", 1))
    return part();
  in.expect("(");
  wrapping(in);
  in.expect("*");
  part();
  in.expect("+");
  part();
  in.expect(")");
}

} // namespace atl::proofs::reader
