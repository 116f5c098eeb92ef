#include "cbackend/function/interface.h"

#include "cbackend/term/writer.h"
#include "lowering/nest/ranges.h"
#include "lowering/nest/versions.h"

#include <fmt/format.h>

namespace atl::cbackend {

static NameScope library_names(const std::string &identifier, const ErrorCodes &codes) {
  NameScope names;
  names.reserve(identifier + "_strerror");
  names.reserve(identifier + "_error");
  for (const RuntimeErrorInfo &row : runtime_errors)
    names.reserve(codes(row.error));
  return names;
}

static CKernel describe(lowering::Versions versions, std::string c_name, NameScope names) {
  const lowering::LoopKernel &kernel = versions.front();
  CKernel result{versions, &kernel, std::move(c_name), {}, {}};
  std::vector<std::string> sizes;
  for (const Param &p : kernel.params)
    if (p.kind == Param::Kind::size)
      sizes.push_back(p.name);
  Intervals ranges = lowering::size_ranges(sizes, kernel.assumptions);
  using Kind = CParam::Kind;
  for (const Param &p : kernel.params) {
    bool is_size = p.kind == Param::Kind::size;
    Kind kind = is_size ? Kind::size : p.type.shape.empty() ? Kind::scalar : Kind::input;
    result.params.push_back({kind, p.name, names.claim(p.name), is_size ? Elem::i64 : p.type.elem,
                             p.type.shape, is_size ? ranges.at(p.name).hi : 0});
  }
  for (const lowering::Buffer &output : kernel.outputs)
    result.params.push_back(
        {Kind::output, output.name, names.claim(output.name), output.elem, output.dims, 0});
  result.names = std::move(names);
  return result;
}

static std::string own_name(const lowering::Versions &versions) {
  const std::string &name = versions.front().name;
  return is_library_function(name) ? name + "_" : name;
}

// By kernel. Those that C can call as they are called are, whatever becomes of other names.
static std::vector<std::string> names_of_functions(const std::vector<lowering::Versions> &kernels,
                                                   NameScope &functions) {
  std::vector<std::string> names(kernels.size());
  for (const bool is_kept : {true, false})
    for (std::size_t i = 0; i < kernels.size(); ++i)
      if ((c_name_of(own_name(kernels[i])) == kernels[i].front().name) == is_kept)
        names[i] = functions.claim(own_name(kernels[i]));
  return names;
}

static CVersion describe_version(const lowering::LoopKernel &kernel, const std::string &c_name,
                                 NameScope &functions) {
  CVersion version{&kernel, c_name, {}};
  for (std::size_t i = 0; i < lowering::conditions_in_order(kernel.body).size(); ++i)
    version.parts.push_back(functions.claim(fmt::format("{}_v{}", c_name, i + 1)));
  return version;
}

CLibrary describe_library(const std::string &name, const std::vector<lowering::LoopKernel> &kernels) {
  std::string identifier = c_identifier(name);
  std::string header = name + (is_system_header(name) ? "_kernels.h" : ".h");
  CLibrary library{name, identifier, header, ErrorCodes(upper_case(identifier)), {}};
  const NameScope reserved = library_names(identifier, library.codes);
  NameScope functions = reserved;
  const std::vector<lowering::Versions> grouped = lowering::group_versions(kernels);
  const std::vector<std::string> names = names_of_functions(grouped, functions);
  for (std::size_t i = 0; i < grouped.size(); ++i) {
    const lowering::Versions &versions = grouped[i];
    library.kernels.push_back(describe(versions, names[i], reserved));
    CKernel &described = library.kernels.back();
    const bool is_mapped = versions.front().hardware != nullptr;
    described.portable = describe_version(
        versions.back(), is_mapped ? functions.claim(names[i], "portable") : names[i], functions);
    for (const lowering::LoopKernel &version : versions)
      if (version.hardware)
        described.mapped.push_back(
            describe_version(version, functions.claim(names[i], version.hardware->name), functions));
  }
  return library;
}

static std::string declaration(const CParam &p, std::string_view restrict_word) {
  std::string_view type = info(p.elem).c_type;
  switch (p.kind) {
  case CParam::Kind::size:
  case CParam::Kind::scalar: return fmt::format("{} {}", type, p.c_name);
  case CParam::Kind::input: return fmt::format("const {} *{} {}", type, restrict_word, p.c_name);
  case CParam::Kind::output: break;
  }
  return fmt::format("{} *{} {}", type, restrict_word, p.c_name);
}

std::string prototype(const CKernel &kernel, std::string_view restrict_word) {
  if (kernel.params.empty())
    return fmt::format("int {}(void)", kernel.c_name);
  std::string text, line = fmt::format("int {}(", kernel.c_name);
  const std::string indent(line.size(), ' ');
  for (std::size_t i = 0; i < kernel.params.size(); ++i) {
    std::string piece = declaration(kernel.params[i], restrict_word);
    piece += i + 1 < kernel.params.size() ? "," : ")";
    if (i > 0 && line.size() + 1 + piece.size() > line_width) {
      text += line + "\n";
      line = indent + piece;
    } else {
      line += (i > 0 ? " " : "") + piece;
    }
  }
  return text + line;
}

std::string type_text(Elem elem, const Shape &dims) {
  std::string text(name(elem));
  for (std::size_t d = 0; d < dims.size(); ++d)
    text += (d == 0 ? "[" : ", ") + to_string(dims[d]);
  return dims.empty() ? text : text + "]";
}

} // namespace atl::cbackend
