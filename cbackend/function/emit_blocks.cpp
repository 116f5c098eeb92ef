#include "cbackend/function/emit_blocks.h"

#include "atl/base/check.h"
#include "cbackend/term/templates.h"

#include <algorithm>
#include <fmt/format.h>

namespace atl::cbackend {

using namespace lowering;

namespace {

bool is_true(const Pred &p) {
  return p->op == PredOp::truth && p->value;
}

std::string text_of(const BlockOperand &operand, const Scope &scope, Prelude &prelude) {
  return std::visit(
      Overloaded{
          [&](const FirstElement &e) { return "&" + c_element(e.buffer, e.indices, scope, prelude); },
          [&](const RowBlock &b) { return c_index(b.address, scope, prelude).text; },
          [&](const ExprPtr &scalar) { return c_scalar(scalar, scope, prelude).text; },
          [&](const Index &size) { return c_index(size, scope, prelude).text; },
      },
      operand);
}

std::string text_of(const BlockCall &call, const Scope &scope, Prelude &prelude) {
  return fill_holes(call.instruction->c, [&](const std::string &name) {
    auto found = std::find_if(call.operands.begin(), call.operands.end(),
                              [&](const auto &operand) { return operand.first == name; });
    ATL_CHECK(found != call.operands.end(), "an operand without a value: " + name);
    return text_of(found->second, scope, prelude);
  });
}

std::string text_of(const Setting &setting, const Scope &scope, Prelude &prelude) {
  return fill_holes(setting.configuration->c, [&](const std::string &name) {
    for (std::size_t i = 0; i < setting.values.size(); ++i)
      if (setting.configuration->params[i].name == name)
        return std::holds_alternative<Index>(setting.values[i])
                   ? c_index(std::get<Index>(setting.values[i]), scope, prelude).text
                   : c_scalar(std::get<ExprPtr>(setting.values[i]), scope, prelude).text;
    ATL_CHECK(false, "a configuration without the value " + name);
  });
}

} // namespace

void emit_settings(const BlockCode &code, const Scope &scope, Prelude &prelude, Writer &out) {
  for (const Setting &setting : code.settings)
    out.line(text_of(setting, scope, prelude));
}

void emit_call(const BlockCode &code, const Scope &scope, Prelude &prelude, Writer &out) {
  if (!code.call)
    return;
  Scope inner = scope;
  bool always = is_true(code.call->condition);
  if (!always) {
    inner.known.assume(code.call->condition);
    out.open(fmt::format("if ({}) {{", c_pred(code.call->condition, scope, prelude).text));
  }
  out.line(text_of(*code.call, inner, prelude));
  if (!always)
    out.close();
}

} // namespace atl::cbackend
