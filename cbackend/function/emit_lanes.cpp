#include "cbackend/function/emit_lanes.h"

#include "atl/base/check.h"
#include "cbackend/term/templates.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace atl::cbackend {

using namespace lowering;

namespace {

// How often each size of instructions is used, by its C text.
void count_sizes(const LaneCall &call, const Scope &scope, Prelude &prelude,
                 std::map<std::string, int> &counts) {
  for (const auto &[name, operand] : call.operands) {
    if (const Index *size = std::get_if<Index>(&operand))
      ++counts[c_index(*size, scope, prelude).text];
    if (auto *inner = std::get_if<std::shared_ptr<const LaneCall>>(&operand))
      count_sizes(**inner, scope, prelude, counts);
  }
}

class LaneEmitter {
public:
  LaneEmitter(const Scope &scope, Prelude &prelude, const std::map<std::string, std::string> &named_sizes)
      : scope_(scope), prelude_(prelude), named_sizes_(named_sizes) {}

  std::string statement(const LaneStatement &s) const {
    std::string value = std::holds_alternative<Register>(s.value)
                            ? reg(std::get<Register>(s.value))
                            : call(*std::get<std::shared_ptr<const LaneCall>>(s.value));
    return s.target ? fmt::format("{} = {};", reg(*s.target), value) : value + ";";
  }

  // The instruction's C with its holes filled.
  std::string call(const LaneCall &c) const {
    return fill_holes(c.instruction->c, [&](const std::string &name) { return operand(c, name); });
  }

private:
  std::string reg(const Register &r) const {
    const CBuffer &buffer = scope_.buffers.at(r.buffer);
    return buffer.is_variable ? buffer.name : buffer.registers.at(r.indices);
  }

  std::string operand(const LaneCall &c, const std::string &name) const {
    auto found = std::find_if(c.operands.begin(), c.operands.end(),
                              [&](const auto &bound) { return bound.first == name; });
    ATL_CHECK(found != c.operands.end(), "an operand without a value: " + name);
    return std::visit(
        Overloaded{
            [&](const std::shared_ptr<const LaneCall> &inner) { return call(*inner); },
            [&](const Register &r) { return reg(r); },
            [&](const FirstElement &e) { return "&" + c_element(e.buffer, e.indices, scope_, prelude_); },
            [&](const ExprPtr &scalar) { return c_scalar(scalar, scope_, prelude_).text; },
            [&](const Index &size) {
              std::string text = c_index(size, scope_, prelude_).text;
              auto named = named_sizes_.find(text);
              return named == named_sizes_.end() ? text : named->second;
            },
        },
        found->second);
  }

  const Scope &scope_;
  Prelude &prelude_;
  const std::map<std::string, std::string> &named_sizes_;
};

// A size that is used more than once gets a name.
std::map<std::string, std::string> name_sizes(const LaneCode &code, const Scope &scope, NameScope &names,
                                              Prelude &prelude) {
  std::map<std::string, int> counts;
  for (const LaneStatement &s : code.statements)
    if (auto *call = std::get_if<std::shared_ptr<const LaneCall>>(&s.value))
      count_sizes(**call, scope, prelude, counts);
  std::map<std::string, std::string> named;
  for (const auto &[text, count] : counts)
    if (count > 1)
      named[text] = names.claim("lanes");
  return named;
}

bool reads(const LaneOperand &operand, const std::string &local) {
  if (const Register *r = std::get_if<Register>(&operand))
    return r->buffer == local;
  auto *call = std::get_if<std::shared_ptr<const LaneCall>>(&operand);
  return call && std::any_of((*call)->operands.begin(), (*call)->operands.end(),
                             [&](const auto &bound) { return reads(bound.second, local); });
}

bool is_always(const LaneStatement &s) {
  return s.condition->op == PredOp::truth && s.condition->value;
}

// What lanes that do not run keep in a local is no value of the program; C wants one all the same.
bool needs_start(const LaneCode &code, const std::string &local) {
  auto first = std::find_if(code.statements.begin(), code.statements.end(),
                            [&](const LaneStatement &s) { return s.target && s.target->buffer == local; });
  return first == code.statements.end() || !is_always(*first) ||
         std::visit([&](const auto &value) { return reads(value, local); }, first->value);
}

} // namespace

std::string c_call(const LaneCall &call, const Scope &scope, Prelude &prelude) {
  return LaneEmitter(scope, prelude, {}).call(call);
}

void emit_lanes(const LaneCode &code, const Scope &scope, NameScope names, Prelude &prelude, Writer &out) {
  Scope inner = scope;
  const std::map<std::string, std::string> sizes = name_sizes(code, scope, names, prelude);
  const bool declares = !code.locals.empty() || !sizes.empty();
  if (declares)
    out.open("{");
  for (const auto &[text, name] : sizes)
    out.line(fmt::format("const int64_t {} = {};", name, text));
  for (const LaneLocal &local : code.locals) {
    std::string name = names.claim(local.name);
    inner.buffers[local.name] = {name, Elem::f32, {}, true, {}};
    out.line(fmt::format("{} {}{};", local.c_type, name, needs_start(code, local.name) ? " = {0}" : ""));
  }
  LaneEmitter emitter(inner, prelude, sizes);
  for (const LaneStatement &s : code.statements) {
    const bool always = is_always(s);
    if (!always)
      out.open(fmt::format("if ({}) {{", c_pred(s.condition, inner, prelude).text));
    out.line(emitter.statement(s));
    if (!always)
      out.close();
  }
  if (declares)
    out.close();
}

} // namespace atl::cbackend
