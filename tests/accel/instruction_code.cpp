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

std::string function_name(const Instruction &instruction) {
  return "run_" + instruction.meaning.name;
}

std::string function(const Instruction &instruction, const Hardware &hardware, const std::string &target) {
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
      "{}static void {}(const void *const *operands, const int64_t *sizes, const int64_t *strides, "
      "void *out) {{\n  (void)operands, (void)sizes, (void)strides;\n{}}}\n\n",
      target, function_name(instruction), body);
}

// The headers of SIMDe, which have the instructions as functions in portable C.
std::string portable_header(const Hardware &hardware) {
  return hardware.header == "arm_neon.h" ? "simde_neon.h" : "simde_x86.h";
}

} // namespace

std::string instruction_functions(const Hardware &hardware, bool in_portable_c) {
  const std::string target =
      in_portable_c || hardware.features.empty()
          ? ""
          : fmt::format("__attribute__((target(\"{}\")))\n", fmt::join(hardware.features, ","));
  std::string functions, names, features;
  for (const Instruction &instruction : hardware.instructions) {
    functions += function(instruction, hardware, target);
    names += function_name(instruction) + ", ";
  }
  for (const std::string &feature : hardware.features)
    features += fmt::format(" && __builtin_cpu_supports(\"{}\")", feature);
  return fmt::format(R"(#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef void Run(const void *const *operands, const int64_t *sizes, const int64_t *strides, void *out);
#if {}
{}#include <{}>

{}static Run *const instructions[] = {{{}}};
static int is_supported(void) {{ return 1{}; }}
#else
static Run *const instructions[] = {{0}};
static int is_supported(void) {{ return 0; }}
#endif
)",
                     in_portable_c ? "1" : hardware.available,
                     in_portable_c ? "#define SIMDE_ENABLE_NATIVE_ALIASES\n" : "",
                     in_portable_c ? portable_header(hardware) : hardware.header, functions, names,
                     in_portable_c ? "" : features);
}

} // namespace atl::tests
