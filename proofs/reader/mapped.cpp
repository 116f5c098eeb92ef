#include "proofs/reader/mapped.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace atl::proofs::reader {

using lowering::LoopKernel;

std::string hardware_headers(const std::vector<LoopKernel> &kernels) {
  std::set<std::string> all;
  std::string question;
  for (const LoopKernel &kernel : kernels)
    if (const auto &hardware = kernel.hardware) {
      all.insert(fmt::format("#if {}\n#include <{}>\n#endif\n", hardware->available, hardware->header));
      if (!hardware->features.empty())
        question =
            "#ifndef ATL_CPU_HAS\n#define ATL_CPU_HAS(feature) __builtin_cpu_supports(feature)\n#endif\n";
    }
  return fmt::format("{}{}", fmt::join(all, ""), question);
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

void instructions_head(Cursor &in, const Hardware &hardware) {
  const std::string target = hardware.features.empty() ? ""
                                                       : fmt::format("__attribute__((target(\"{}\")))\n",
                                                                     fmt::join(hardware.features, ","));
  in.same_as(tokens_of(fmt::format("#if {}\n{}static", hardware.available, target)),
             "the head of the function of instructions");
}

void choice(Cursor &in, lowering::Versions versions, const std::string &portable,
            const std::vector<std::string> &parameters, const std::vector<std::string> &names) {
  const std::string name = portable.substr(0, portable.rfind("_portable"));
  const std::string text = fmt::format("{}", fmt::join(parameters, " "));
  const std::string arguments = fmt::format("{}", fmt::join(names, ", "));
  const std::string loops = fmt::format("return {}({});", portable, arguments);
  std::string chosen, behind = loops;
  for (const LoopKernel &version : versions) {
    if (!version.hardware)
      break; // the last one, whose loops were read
    const Hardware &hardware = *version.hardware;
    const std::string mapped = name + "_" + hardware.name;
    std::string supported;
    for (const std::string &feature : hardware.features)
      supported += fmt::format("{}ATL_CPU_HAS(\"{}\")", supported.empty() ? "" : " && ", feature);
    if (supported.empty()) // the C compiler chooses
      behind = fmt::format("#if {}\n(void){}; return {}({});\n#else\n{}\n#endif\n", hardware.available,
                           portable, mapped, arguments, loops);
    else
      chosen += fmt::format("#if {}\nif ({}) return {}({});\n#endif\n", hardware.available, supported, mapped,
                            arguments);
  }
  in.same_as(tokens_of(fmt::format("int {} {} {{\n{}{}}}", name, text, chosen, behind)),
             "the function that chooses");
}

} // namespace atl::proofs::reader
