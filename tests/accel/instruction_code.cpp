#include "accel/instruction_code.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace atl::tests {

namespace {

std::string filled(std::string text, const std::string &name, const std::string &value) {
  const std::string hole = "{" + name + "}";
  for (std::size_t at = text.find(hole); at != std::string::npos; at = text.find(hole, at + value.size()))
    text.replace(at, hole.size(), value);
  return text;
}

std::string function(const Instruction &instruction, const Hardware &hardware) {
  std::string body, c = instruction.c;
  std::size_t operand = 0, size = 0;
  auto register_type = [&](const std::string &memory, Elem elem) {
    return hardware.find_memory(memory)->c_types.at(elem);
  };
  for (std::size_t i = 0; i < instruction.meaning.params.size(); ++i) {
    const Param &param = instruction.meaning.params[i];
    std::string name = "v_" + param.name;
    if (param.kind == Param::Kind::size) {
      body += fmt::format("  const int64_t {} = sizes[{}];\n", name, size++);
    } else if (!instruction.memories[i].empty()) {
      body += fmt::format("  {0} {1};\n  memcpy(&{1}, operands[{2}], sizeof {1});\n",
                          register_type(instruction.memories[i], param.type.elem), name, operand++);
    } else {
      bool is_scalar = param.type.shape.empty();
      if (param.type.shape.size() == 2) {
        body += fmt::format("  const int64_t {}_stride = strides[{}];\n", name, operand);
        c = filled(c, param.name + ".stride", name + "_stride");
      }
      body +=
          fmt::format("  const {0} {3}{1} = {4}(const {0} *)operands[{2}];\n", info(param.type.elem).c_type,
                      name, operand++, is_scalar ? "" : "*", is_scalar ? "*" : "");
    }
    c = filled(c, param.name, name);
  }
  Elem elem = instruction.meaning.outputs[0].type.elem;
  const bool is_scalar = instruction.meaning.outputs[0].type.shape.empty();
  if (instruction.result_memory.empty() && !is_scalar)
    body += fmt::format("  {};\n", filled(c, "out", fmt::format("(({} *)out)", info(elem).c_type)));
  else
    body += fmt::format("  {} result = {};\n  memcpy(out, &result, sizeof result);\n",
                        is_scalar ? info(elem).c_type : register_type(instruction.result_memory, elem), c);
  if (!hardware.finish.empty())
    body += fmt::format("  {}\n", hardware.finish);
  return fmt::format(
      "__attribute__((target(\"{}\")))\nvoid {}(const void *const *operands, const int64_t *sizes, "
      "const int64_t *strides, void *out) {{\n  (void)operands, (void)sizes, (void)strides;\n{}}}\n\n",
      fmt::join(hardware.features, ","), function_name(instruction), body);
}

} // namespace

std::string function_name(const Instruction &instruction) {
  return "run_" + instruction.meaning.name;
}

std::string instruction_functions(const Hardware &hardware) {
  std::string text = fmt::format(
      "#include <{}>\n#include <stdbool.h>\n#include <stdint.h>\n#include <string.h>\n\n", hardware.header);
  for (const Instruction &instruction : hardware.instructions)
    text += function(instruction, hardware);
  text += "int is_supported(void) {\n  return 1";
  for (const std::string &feature : hardware.features)
    text += fmt::format(" && __builtin_cpu_supports(\"{}\")", feature);
  return text + ";\n}\n";
}

} // namespace atl::tests
