#include "proofs/reader/header.h"

#include "proofs/reader/c/parse_c.h"
#include "proofs/reader/c_names.h"
#include "proofs/reader/helpers.h"

#include <algorithm>
#include <fmt/format.h>

namespace atl::proofs::reader {

using namespace lowering;

namespace {

using Texts = std::vector<std::string_view>;

class HeaderReader {
public:
  HeaderReader(const Emitted &emitted, const std::vector<Versions> &functions)
      : emitted_(emitted), functions_(functions), library_(identifier(emitted.library)),
        codes_(capitals(library_)), tokens_(tokens_of(emitted.header)), source_(tokens_of(emitted.source)),
        in_(tokens_) {}

  void run() {
    const std::string guard = codes_ + "_H", restrict_word = codes_ + "_RESTRICT";
    expect(fmt::format("#ifndef {0}\n#define {0}\n#include <stdbool.h>\n#include <stdint.h>\n"
                       "#ifdef __cplusplus\n#define {1} __restrict\nextern \"C\" {{\n"
                       "#else\n#define {1} restrict\n#endif\n",
                       guard, restrict_word),
           "the beginning of the header");
    expect(error_enum(library_, codes_), "the numbers of errors");
    expect(fmt::format("const char *{}_strerror(int error);", library_), "the header");
    for (const Versions &versions : functions_)
      declaration(versions.front(), restrict_word);
    expect("#ifdef __cplusplus\n}\n#endif\n#endif\n", "the end of the header");
    if (in_.peek().kind != Token::Kind::end)
      in_.fail("the header goes on");
  }

private:
  void expect(const std::string &text, const std::string &what) { in_.same_as(tokens_of(text), what); }

  // int NAME(PARAMETERS); as the source has it before the function's body.
  void declaration(const LoopKernel &kernel, const std::string &restrict_word) {
    const Token first = in_.peek();
    const std::string name(in_.peek(1).text);
    if (!is_name_of(name, kernel.name))
      in_.fail(fmt::format("the function of {} is expected", kernel.name));
    const Texts defined = head_of(name);
    Texts names; // of the parameters
    for (std::string_view text : defined) {
      if (text == "," || text == ")")
        names.push_back(in_.position() > 0 ? tokens_[in_.position() - 1].text : text);
      if (!in_.takes(text == "restrict" ? std::string_view(restrict_word) : text))
        in_.fail(
            fmt::format("the function is declared otherwise than it is defined: '{}' is expected", text));
    }
    in_.expect(";");
    if (names.size() == 1 && names[0] == "void")
      names.clear();
    documented(first.at, kernel, names);
  }

  // The tokens `int NAME(...)` of its definition.
  Texts head_of(const std::string &name) const {
    for (std::size_t at = 0; at + 2 < source_.size(); ++at) {
      const bool is_internal =
          at > 0 && (source_[at - 1].text == "static" || source_[at - 1].text == "atl_apart");
      if (source_[at].text != "int" || source_[at + 1].text != name || source_[at + 2].text != "(" ||
          is_internal)
        continue;
      Texts head;
      for (; at < source_.size() && source_[at].text != "{"; ++at)
        head.push_back(source_[at].text);
      return head;
    }
    in_.fail(fmt::format("the source defines no function {}", name));
  }

  // The comment before the declaration has a line for each parameter, in order, with what it is.
  void documented(std::uint32_t at, const LoopKernel &kernel, const Texts &names) const {
    const std::vector<std::string_view> lines = comment_before(at);
    std::size_t line = lines.size() - std::min(lines.size(), names.size());
    for (std::size_t i = 0; i < names.size(); ++i, ++line) {
      const std::string says = line < lines.size() ? std::string(lines[line]) : "";
      const std::string begin = fmt::format("//   {} ", names[i]);
      const bool is_output = i >= kernel.params.size();
      const bool is_size = !is_output && kernel.params[i].kind == Param::Kind::size;
      const bool is_tensor = !is_output && !is_size && !kernel.params[i].type.shape.empty();
      const bool right = is_size     ? says.find(" size, 0 to ") != std::string::npos
                         : is_output ? says.ends_with(", written")
                                     : says.ends_with(", read") == is_tensor;
      if (!says.starts_with(begin) || !right)
        throw Difference(at, fmt::format("the comment does not say what {} is", names[i]));
    }
  }

  std::vector<std::string_view> comment_before(std::uint32_t at) const {
    std::vector<std::string_view> lines;
    std::string_view text = std::string_view(emitted_.header).substr(0, at);
    while (text.ends_with('\n')) {
      text.remove_suffix(1);
      const std::size_t end = text.rfind('\n');
      const std::string_view line = text.substr(end == std::string_view::npos ? 0 : end + 1);
      if (!line.starts_with("//"))
        break;
      lines.insert(lines.begin(), line);
      text.remove_suffix(line.size());
    }
    return lines;
  }

  const Emitted &emitted_;
  const std::vector<Versions> &functions_;
  std::string library_, codes_;
  std::vector<Token> tokens_, source_;
  Cursor in_;
};

} // namespace

void read_header(const Emitted &emitted, const std::vector<Versions> &functions) {
  HeaderReader(emitted, functions).run();
}

} // namespace atl::proofs::reader
