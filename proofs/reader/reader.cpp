#include "proofs/reader/reader.h"

#include "proofs/reader/c/parse_c.h"
#include "proofs/reader/c_names.h"
#include "proofs/reader/header.h"
#include "proofs/reader/helpers.h"
#include "proofs/reader/limits.h"
#include "proofs/reader/mapped.h"
#include "proofs/reader/nest.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>

namespace atl::proofs::reader {

using namespace lowering;

namespace {

class FileReader {
public:
  FileReader(const Emitted &emitted, const std::vector<LoopKernel> &kernels)
      : emitted_(emitted), kernels_(kernels), library_(identifier(emitted.library)),
        codes_(capitals(library_)) {}

  Reading run() {
    guarded(emitted_.header_file, [&] { read_header(emitted_, functions_); });
    guarded(emitted_.source_file, [&] { source(); });
    return std::move(reading_);
  }

private:
  template <class Read>
  void guarded(std::uint32_t file, Read read) {
    try {
      read();
    } catch (const Difference &d) {
      reading_.differences.push_back({Code::c_text_differs, Span{file, d.at, d.at + 1}, d.what(), {}});
    }
  }

  void source() {
    std::vector<Token> tokens = tokens_of(emitted_.source);
    Cursor in(tokens);
    auto includes = [&](std::string_view line) {
      return std::any_of(tokens.begin(), tokens.end(), [&](const Token &t) { return t.text == line; });
    };
    expect(in,
           preamble(emitted_.header_name, includes("#include <stdlib.h>"), includes("#include <math.h>"),
                    includes("#include <omp.h>")),
           "the beginning of the file");
    expect(in, hardware_headers(kernels_), "the headers of hardware");
    while ((in.sees("static") && in.sees("inline", 1)) || !macro_here(in).empty())
      helper_function(in);
    std::size_t function = 0;
    for (; in.sees("int") || in.sees("static"); ++function) {
      if (function == functions_.size())
        in.fail("there are more functions than kernels");
      Versions versions = functions_[function];
      versions.front().hardware ? mapped(in, versions) : plain(in, versions.front());
    }
    if (function < functions_.size())
      in.fail(fmt::format("the function of {} is missing", functions_[function].front().name));
    expect(in, strerror_text(library_, codes_), "the function that names errors");
    if (in.peek().kind != Token::Kind::end)
      in.fail("the file goes on");
  }

  void plain(Cursor &in, const LoopKernel &kernel) {
    const std::vector<std::string> parts = functions_of_parts(in, kernel, "", false);
    CFunction f = parse_function(in);
    guarded(emitted_.source_file, [&] { compare(f, kernel, "", nullptr, parts); });
  }

  // static atl_apart int f_v1(...) {...} ... What each computes is compared; their names are returned.
  std::vector<std::string> functions_of_parts(Cursor &in, const LoopKernel &kernel, const std::string &target,
                                              bool has_instructions) {
    std::vector<std::string> names;
    const std::string head = target + "static atl_apart";
    while (in.begins_with(tokens_of(head))) {
      expect(in, head, "the head of a function");
      CFunction f = parse_function(in, has_instructions);
      const If *branch =
          names.size() < kernel.body.size() ? std::get_if<If>(&kernel.body[names.size()].node) : nullptr;
      names.push_back(f.name);
      guarded(emitted_.source_file, [&] {
        if (!branch || f.result != "int")
          throw Difference(f.at, "the loop nest has no such part");
        LoopKernel part = kernel;
        part.body = branch->body;
        compare_body(f, part, branch->pred, has_instructions ? &in.all_tokens() : nullptr);
      });
    }
    return names;
  }

  void mapped(Cursor &in, Versions versions) {
    const std::vector<std::string> parts = functions_of_parts(in, versions.back(), "", false);
    in.expect("static");
    const std::vector<std::string> params = parameters_ahead(in);
    CFunction f = parse_function(in);
    guarded(emitted_.source_file, [&] { compare(f, versions.back(), "_portable", nullptr, parts); });
    std::vector<std::string> names;
    for (const CDeclaration &param : f.params)
      names.push_back(param.name);
    std::vector<std::string> with_instructions;
    for (const LoopKernel &version : versions)
      if (version.hardware)
        with_instructions.push_back(instructions(in, version));
    if (!is_function_of(std::string(in.peek(1).text), versions.front()))
      in.fail(fmt::format("the function {} is expected, which chooses", versions.front().name));
    choice(in, versions, with_instructions, f.name, params, names);
  }

  // Its name.
  std::string instructions(Cursor &in, const LoopKernel &version) {
    const std::string target = instructions_head(in, version);
    const std::vector<std::string> parts = functions_of_parts(in, version, target, true);
    expect(in, parts.empty() ? target + "static" : "static", "the head of the function of instructions");
    CFunction f = parse_function(in, true);
    guarded(emitted_.source_file,
            [&] { compare(f, version, "_" + version.hardware->name, &in.all_tokens(), parts); });
    in.expect("#endif");
    return f.name;
  }

  static void expect(Cursor &in, const std::string &text, const std::string &what) {
    in.same_as(tokens_of(text), what);
  }

  // That is defined here: nothing else begins with this line.
  static std::string macro_here(const Cursor &in) {
    return in.sees("#if defined(__GNUC__)")                                            ? "atl_apart"
           : in.sees("#if defined(__clang__)")                                         ? "atl_vectorize"
           : in.sees("#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 12") ? "atl_rounded"
                                                                                       : "";
  }

  static void helper_function(Cursor &in) {
    std::string name = macro_here(in);
    for (std::size_t ahead = 0; name.empty(); ++ahead)
      if (in.peek(ahead).kind == Token::Kind::end)
        in.fail("a function without a name");
      else if (in.sees("(", ahead))
        name = std::string(in.peek(ahead - 1).text);
    auto known = helper(name);
    if (!known)
      in.fail(fmt::format("{} is not a known helper function", name));
    expect(in, *known, "the helper function " + name);
  }

  bool is_function_of(const std::string &c_name, const LoopKernel &kernel) const {
    const bool is_another = std::any_of(kernels_.begin(), kernels_.end(), [&](const LoopKernel &k) {
      return k.name != kernel.name && identifier(k.name) == c_name;
    });
    return c_name == kernel.name || (is_name_of(c_name, kernel.name) && !is_another);
  }

  // `tokens`: of the file, for a function of instructions. `parts`: the functions among which it chooses.
  void compare(const CFunction &f, const LoopKernel &kernel, std::string_view suffix,
               const std::vector<Token> *tokens, const std::vector<std::string> &parts) {
    bool ends = f.name.ends_with(suffix);
    if (f.result != "int" || !ends ||
        !is_function_of(f.name.substr(0, f.name.size() - suffix.size()), kernel))
      throw Difference(f.at, fmt::format("the function of {} is expected", kernel.name));
    parts.empty() ? compare_body(f, kernel, truth(true), tokens) : compare_choice(f, kernel, parts);
    ++reading_.functions;
  }

  void compare_choice(const CFunction &f, const LoopKernel &kernel, const std::vector<std::string> &parts) {
    Scope scope;
    Surroundings around;
    parameters(f, kernel, scope, around);
    Statements in(f.body, f.end);
    Entry entry = read_sizes(kernel, codes_, emitted_.source_file, scope, in, reading_.conditions);
    std::vector<std::string> arguments;
    for (const CDeclaration &param : f.params)
      arguments.push_back(param.name);
    if (parts.size() != kernel.body.size())
      throw Difference(f.at, "the loop nest has another number of parts");
    Nest(kernel, scope, around, entry, emitted_.source_file, reading_.conditions, nullptr)
        .choice(parts, arguments, in);
    in.expect_end();
  }

  // `known`: of the sizes, when it is called.
  void compare_body(const CFunction &f, const LoopKernel &kernel, const Pred &known,
                    const std::vector<Token> *tokens) {
    Scope scope;
    Surroundings around;
    parameters(f, kernel, scope, around);
    Statements in(f.body, f.end);
    Entry entry = read_entry(kernel, f, codes_, emitted_.source_file, scope, in, reading_.conditions);
    around.known.push_back(known);
    Nest(kernel, scope, around, entry, emitted_.source_file, reading_.conditions, tokens).body(in);
    read_exit(entry, codes_, in);
  }

  void parameters(const CFunction &f, const LoopKernel &kernel, Scope &scope, Surroundings &around) {
    if (f.params.size() != kernel.params.size() + kernel.outputs.size())
      throw Difference(f.at, "the number of parameters is another one");
    for (std::size_t i = 0; i < f.params.size(); ++i) {
      const CDeclaration &d = f.params[i];
      const std::string &name =
          i < kernel.params.size() ? kernel.params[i].name : kernel.outputs[i - kernel.params.size()].name;
      if (!is_name_of(d.name, name))
        throw Difference(f.at, fmt::format("the parameter {} is called {}", name, d.name));
      if (i >= kernel.params.size()) {
        tensor(f, d, kernel.outputs[i - kernel.params.size()], false, scope, around);
      } else if (const Param &p = kernel.params[i]; p.kind == Param::Kind::size) {
        if (d.type != "int64_t" || d.is_const || d.is_pointer)
          throw Difference(f.at, fmt::format("the parameter {} is no size", d.name));
        scope.declare(d.name, {Variable::Kind::index, p.name}, f.at);
        around.nonnegative.insert(p.name);
      } else {
        auto input = std::find_if(kernel.inputs.begin(), kernel.inputs.end(),
                                  [&](const Buffer &b) { return b.name == p.name; });
        if (input == kernel.inputs.end())
          throw Difference(f.at, fmt::format("{} is not among the inputs", p.name));
        tensor(f, d, *input, true, scope, around);
      }
    }
  }

  static void tensor(const CFunction &f, const CDeclaration &d, const Buffer &buffer, bool is_input,
                     Scope &scope, Surroundings &around) {
    bool by_value = is_input && buffer.dims.empty();
    if (d.type != info(buffer.elem).c_type || d.is_pointer == by_value || d.is_restrict == by_value ||
        d.is_const != (is_input && !by_value))
      throw Difference(f.at, fmt::format("the parameter {} has another type than {}", d.name, buffer.name));
    scope.declare(d.name, {by_value ? Variable::Kind::value : Variable::Kind::memory, buffer.name, &buffer},
                  f.at);
    around.buffers[buffer.name] = &buffer;
  }

  const Emitted &emitted_;
  const std::vector<LoopKernel> &kernels_;
  std::vector<Versions> functions_ = group_versions(kernels_);
  std::string library_, codes_;
  Reading reading_;
};

} // namespace

Reading read_back(const Emitted &emitted, const std::vector<LoopKernel> &kernels) {
  return FileReader(emitted, kernels).run();
}

} // namespace atl::proofs::reader
