#include "driver/commands/commands.h"

#include "atl/base/spelling.h"
#include "driver/commands/report.h"
#include "driver/io/files.h"
#include "driver/io/shared_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace atl::driver {

namespace {

// The section of a page in Markdown below a heading that begins with these words; without marks of Markdown.
std::string section_of(const std::string &page, const std::string &heading) {
  const std::size_t begin = page.find("\n" + heading);
  if (begin == std::string::npos)
    return {};
  const std::size_t end = std::min(page.find("\n## ", begin + 1), page.find("\n### ", begin + 1));
  std::string text, rest = page.substr(begin + 1, end - begin);
  for (std::size_t line = 0; line < rest.size();) {
    const std::size_t next = std::min(rest.find('\n', line), rest.size());
    const std::string words = rest.substr(line, next - line);
    if (words.rfind("```", 0) != 0)
      text += words.substr(words.rfind("### ", 0) == 0 ? 4 : 0) + "\n";
    line = next + 1;
  }
  return text.substr(0, text.find_last_not_of('\n') + 1) + "\n";
}

// "e7001" and "7001" are meant as E7001.
std::string full_code(std::string code) {
  if (!code.empty() && std::isdigit(static_cast<unsigned char>(code[0])))
    code.insert(code.begin(), 'E');
  if (!code.empty())
    code[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(code[0])));
  return code;
}

Diagnostic unknown_code(const std::string &code) {
  std::vector<std::string> names;
  for (const CodeInfo &info : all_codes())
    names.push_back(fmt::format("E{}", info.number));
  const std::string question = did_you_mean(code, {names.begin(), names.end()});
  return {Code::bad_argument,
          std::nullopt,
          fmt::format("there is no diagnostic {}", code),
          {{std::nullopt, question.empty() ? "codes are E and four digits, as in E7001" : question}}};
}

} // namespace

int explain_command(const ExplainOptions &options) {
  const std::string code = full_code(options.code);
  const auto &codes = all_codes();
  if (std::none_of(codes.begin(), codes.end(),
                   [&](const CodeInfo &info) { return fmt::format("E{}", info.number) == code; }))
    return fail(unknown_code(options.code));
  auto page = read_file(shared_files() / "diagnostics.md");
  if (!page)
    return fail(page.errors()[0]);
  fmt::print("{}", section_of(*page, "### " + code + " "));
  return exit_fine;
}

} // namespace atl::driver
