#include "atl/parse/parse.h"

#include "atl/parse/advise.h"
#include "atl/parse/elaborate.h"
#include "atl/parse/grammar.h"
#include "atl/parse/scan.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

namespace atl::parse {

namespace {

constexpr std::size_t most_definitions = 20000; // of all files together

// Reads a file and, first, all that it imports, each file once.
class Loader {
public:
  Loader(Sources &sources, const ReadFile &read, Reporter &reporter)
      : sources_(sources), read_(read), reporter_(reporter) {}

  std::vector<Node> definitions; // imported ones first
  bool complete = true;          // nothing is missing from them

  void load(std::uint32_t file) {
    std::string path = normal(sources_.at(file).name);
    open_.push_back(path);
    seen_.insert(path);
    std::vector<Node> own = parse(file);
    for (const Node &node : own)
      if (node.kind == Kind::import_file)
        import(node, file);
    for (Node &node : own)
      if (node.kind != Kind::import_file)
        definitions.push_back(std::move(node));
    open_.pop_back();
  }

private:
  static std::string normal(const std::filesystem::path &path) {
    return path.lexically_normal().generic_string();
  }

  std::vector<Node> parse(std::uint32_t file) {
    const std::string &text = sources_.at(file).text;
    if (std::optional<Diagnostic> problem = check_text(text, file)) {
      reporter_.add(std::move(*problem));
      complete = false;
      return {};
    }
    std::vector<Node> found = parse_definitions(text, file, reporter_);
    auto is_foreign = [&](const Node &node) {
      return node.kind == Kind::broken && !starts_definition(sources_.text(node.span));
    };
    if (std::any_of(found.begin(), found.end(), is_foreign)) // as #define N 3: nobody knows what it defines
      complete = false;
    return found;
  }

  void import(const Node &node, std::uint32_t file) {
    Span quoted = node.children[0].span;
    std::filesystem::path folder = std::filesystem::path(sources_.at(file).name).parent_path();
    std::string path = normal(folder / sources_.text({quoted.file, quoted.begin + 1, quoted.end - 1}));
    if (std::find(open_.begin(), open_.end(), path) != open_.end())
      return report_cycle(path, quoted);
    if (seen_.contains(path))
      return;
    if (open_.size() == import_limit)
      return reporter_.report(Code::too_deep, quoted,
                              fmt::format("more than {} imports are nested here", import_limit));
    std::optional<std::string> text = read_(path);
    if (!text) {
      complete = false;
      seen_.insert(path);
      reporter_.report(Code::import_not_found, quoted, fmt::format("cannot read {}", sources_.text(quoted)),
                       {{std::nullopt, "from the folder of the importing file, this is " + path}});
      return;
    }
    load(sources_.add({path, std::move(*text)}));
  }

  void report_cycle(const std::string &path, Span place) {
    auto file_name = [](const std::string &of) { return std::filesystem::path(of).filename().string(); };
    std::string cycle;
    for (auto step = std::find(open_.begin(), open_.end(), path); step != open_.end(); ++step)
      cycle += fmt::format("'{}' imports ", file_name(*step));
    reporter_.report(Code::recursive_definition, place, fmt::format("{}'{}'", cycle, file_name(path)));
  }

  static constexpr std::size_t import_limit = 200; // imports inside imports

  Sources &sources_;
  const ReadFile &read_;
  Reporter &reporter_;
  std::vector<std::string> open_; // the files being read, each imported by the one before
  std::set<std::string> seen_;
};

} // namespace

} // namespace atl::parse

namespace atl {

static Diagnostics with_advice(Diagnostics problems, const Sources &sources) {
  constexpr std::size_t most = 10; // who has more mends these first
  for (std::size_t i = 0; i < std::min(most, problems.size()); ++i)
    parse::advise(problems[i], sources);
  return problems;
}

Result<Program> parse_program(Sources &sources, std::uint32_t file, const ReadFile &read) {
  parse::Reporter reporter;
  parse::Loader loader(sources, read, reporter);
  loader.load(file);
  if (loader.definitions.empty() && !reporter.has_errors())
    reporter.report(Code::syntax_error, {file, 0, 0},
                    "there are no definitions; a program has at least one kernel");
  if (loader.definitions.size() > parse::most_definitions) {
    reporter.report(Code::program_too_large, loader.definitions[parse::most_definitions].span,
                    fmt::format("there are {} definitions, and {} at most are compiled",
                                loader.definitions.size(), parse::most_definitions));
    return reporter.take();
  }
  parse::Names names(sources, reporter, loader.definitions, loader.complete);
  Program program = parse::Elaborator(sources, names, reporter).elaborate(loader.definitions);
  if (reporter.has_errors())
    return with_advice(reporter.take(), sources);
  return program;
}

} // namespace atl
