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
  const std::string_view wishes =
      all.empty()
          ? ""
          : "#if defined(__GNUC__) && !defined(__clang__)\n#pragma GCC optimize(\"no-tree-pre\")\n#endif\n";
  return fmt::format("{}{}{}", fmt::join(all, ""), wishes, question);
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

// The C preprocessor's condition for the function.
static std::string condition_of(const LoopKernel &version) {
  if (!version.aligns_temporaries)
    return version.hardware->available;
  return fmt::format("({}) && __STDC_VERSION__ >= 201112L", version.hardware->available); // aligned_alloc
}

// What the function that chooses has to ask for: the CPU's features, and the pointers that have to be
// aligned.
static std::vector<std::string> demands(const LoopKernel &version, const std::vector<std::string> &names) {
  std::vector<std::string> all;
  for (const std::string &feature : version.hardware->features)
    all.push_back(fmt::format("ATL_CPU_HAS(\"{}\")", feature));
  auto demand = [&](const std::string &tensor, const std::string &pointer) {
    auto found = version.aligned.find(tensor);
    if (found != version.aligned.end())
      all.push_back(fmt::format("(uintptr_t){} % {} == 0", pointer, found->second));
  };
  for (std::size_t i = 0; i < version.params.size(); ++i)
    demand(version.params[i].name, names.at(i));
  for (std::size_t i = 0; i < version.outputs.size(); ++i)
    demand(version.outputs[i].name, names.at(version.params.size() + i));
  return all;
}

std::string instructions_head(Cursor &in, const LoopKernel &version) {
  const Hardware &hardware = *version.hardware;
  std::string target = hardware.features.empty() ? ""
                                                 : fmt::format("__attribute__((target(\"{}\")))\n",
                                                               fmt::join(hardware.features, ","));
  in.same_as(tokens_of(fmt::format("#if {}\n", condition_of(version))),
             "the head of the function of instructions");
  return target;
}

void choice(Cursor &in, lowering::Versions versions, const std::vector<std::string> &mapped,
            const std::string &portable, const std::vector<std::string> &parameters,
            const std::vector<std::string> &names) {
  const std::string text = fmt::format("{}", fmt::join(parameters, " "));
  const std::string arguments = fmt::format("{}", fmt::join(names, ", "));
  const std::string loops = fmt::format("return {}({});", portable, arguments);
  std::string chosen, behind;
  for (std::size_t i = 0; i < mapped.size(); ++i) {
    const LoopKernel &version = versions[i];
    const std::vector<std::string> asked = demands(version, names);
    chosen += fmt::format("#if {}\n", condition_of(version));
    if (asked.empty()) { // the C compiler chooses
      chosen += fmt::format("(void){}; return {}({});\n#else\n", portable, mapped[i], arguments);
      behind += "\n#endif\n";
    } else {
      chosen +=
          fmt::format("if ({}) return {}({});\n#endif\n", fmt::join(asked, " && "), mapped[i], arguments);
    }
  }
  const std::string own(in.peek(1).text); // which was looked at before
  in.same_as(tokens_of(fmt::format("int {} {} {{\n{}{}{}}}", own, text, chosen, loops, behind)),
             "the function that chooses");
}

} // namespace atl::proofs::reader
