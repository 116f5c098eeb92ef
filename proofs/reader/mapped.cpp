#include "proofs/reader/mapped.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace atl::proofs::reader {

std::string hardware_headers(const std::vector<lowering::LoopKernel> &kernels) {
  std::set<std::string> all;
  for (const lowering::LoopKernel &kernel : kernels)
    if (kernel.hardware)
      all.insert(fmt::format("#if {}\n#include <{}>\n#endif\n", kernel.hardware->available,
                             kernel.hardware->header));
  return fmt::format("{}", fmt::join(all, ""));
}

std::vector<std::string> parameters_ahead(const Cursor &in) {
  std::vector<std::string> texts;
  std::size_t at = 0;
  while (!in.sees("(", at) && in.peek(at).kind != Token::Kind::end)
    ++at;
  for (; in.peek(at).kind != Token::Kind::end; ++at) {
    texts.emplace_back(in.peek(at).text);
    if (texts.back() == ")")
      break;
  }
  return texts;
}

// Up to the #endif that ends the #if before.
static void skip_to_endif(Cursor &in) {
  for (int open = 1; open > 0;) {
    const Token &token = in.take();
    if (token.kind == Token::Kind::end)
      in.fail("the functions of instructions have no end");
    if (token.kind == Token::Kind::directive && token.text.starts_with("#if"))
      ++open;
    if (token.kind == Token::Kind::directive && token.text.starts_with("#endif"))
      --open;
  }
}

void instructions_and_choice(Cursor &in, const lowering::LoopKernel &kernel, const std::string &portable,
                             const std::vector<std::string> &parameters,
                             const std::vector<std::string> &names) {
  const Hardware &hardware = *kernel.hardware;
  const std::string name = portable.substr(0, portable.rfind("_portable"));
  const std::string mapped = name + "_" + hardware.name;
  const std::string text = fmt::format("{}", fmt::join(parameters, " "));
  const std::string target = hardware.features.empty() ? ""
                                                       : fmt::format("__attribute__((target(\"{}\")))\n",
                                                                     fmt::join(hardware.features, ","));
  in.same_as(tokens_of(fmt::format("#if {}\n{}static int {} {}", hardware.available, target, mapped, text)),
             "the head of the function of instructions");
  skip_to_endif(in);
  std::string supported;
  for (const std::string &feature : hardware.features)
    supported += fmt::format("{}__builtin_cpu_supports(\"{}\")", supported.empty() ? "" : " && ", feature);
  const std::string arguments = fmt::format("{}", fmt::join(names, ", "));
  if (supported.empty())
    return in.same_as(tokens_of(fmt::format(
                          "int {} {} {{\n#if {}\n(void){}; return {}({});\n#else\nreturn {}({});\n#endif\n}}",
                          name, text, hardware.available, portable, mapped, arguments, portable, arguments)),
                      "the function that chooses");
  in.same_as(
      tokens_of(fmt::format("int {} {} {{\n#if {}\nif ({}) return {}({});\n#endif\nreturn {}({}); }}", name,
                            text, hardware.available, supported, mapped, arguments, portable, arguments)),
      "the function that chooses");
}

} // namespace atl::proofs::reader
