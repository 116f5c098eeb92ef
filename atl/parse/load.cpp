#include "atl/parse/load.h"

#include "atl/parse/grammar.h"
#include "atl/parse/pattern.h"
#include "atl/parse/scan.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <optional>

namespace atl::parse {

static bool is_qualifier(std::string_view word) {
  return name_length(word) == word.size() && !word.empty() && !is_keyword(word);
}

std::string qualifier_of(const std::string &path) {
  std::string stem = std::filesystem::path(path).stem().string();
  return is_qualifier(stem) ? stem : "";
}

namespace {

const Node *child_of(const Node &node, Kind kind) {
  auto found = std::find_if(node.children.begin(), node.children.end(),
                            [&](const Node &child) { return child.kind == kind; });
  return found == node.children.end() ? nullptr : &*found;
}

class Loader {
public:
  Loader(Sources &sources, const Importer *importer, Reporter &reporter)
      : sources_(sources), importer_(importer), reporter_(reporter) {}

  Loaded loaded;

  void load(std::uint32_t file) {
    files_.emplace(identity(file), file);
    std::vector<Node> own = parse(file);
    for (const Node &node : own)
      if (node.kind == Kind::import_file)
        import(node, file);
    check_qualifiers(loaded.imports[file]);
    for (Node &node : own)
      if (node.kind == Kind::private_one)
        loaded.definitions.push_back({std::move(node.children[0]), true});
      else if (node.kind != Kind::import_file)
        loaded.definitions.push_back({std::move(node), false});
  }

private:
  struct Open { // a file that is being read, and the import in it that is followed
    std::uint32_t file;
    Span import;
  };

  const std::string &identity(std::uint32_t file) const {
    const Source &source = sources_.at(file);
    return source.identity.empty() ? source.name : source.identity;
  }

  std::vector<Node> parse(std::uint32_t file) {
    const std::string &text = sources_.at(file).text;
    if (std::optional<Diagnostic> problem = check_text(text, file)) {
      reporter_.add(std::move(*problem));
      loaded.complete = false;
      return {};
    }
    std::vector<Node> found = parse_definitions(text, file, reporter_);
    for (std::size_t i = 0; i < found.size(); ++i)
      if (found[i].kind == Kind::broken && !starts_definition(sources_.text(found[i].span)))
        note_words(text, found[i].span.begin, i + 1 < found.size() ? found[i + 1].span.begin : text.size());
    return found;
  }

  // Of text that is no definition, as #define N 3: nobody knows which of them it defines.
  void note_words(std::string_view text, std::size_t begin, std::size_t end) {
    for (const Piece &piece : pieces_of(text, begin, end))
      loaded.unread.emplace(piece.text);
  }

  void import(const Node &node, std::uint32_t file) {
    const Span quoted = child_of(node, Kind::string)->span;
    if (open_.size() + 1 == import_limit)
      return reporter_.report(Code::too_deep, quoted,
                              fmt::format("more than {} imports are nested here", import_limit));
    const std::string path(sources_.text({quoted.file, quoted.begin + 1, quoted.end - 1}));
    open_.push_back({file, quoted});
    const std::optional<std::uint32_t> imported = follow(path);
    open_.pop_back();
    const Node *alias = child_of(node, Kind::alias);
    const std::string qualifier = alias ? alias_of(alias->children[0]) : qualifier_of(path);
    if (imported)
      loaded.imports[file].push_back({alias ? alias->span : quoted, *imported, qualifier, !alias,
                                      child_of(node, Kind::exported) != nullptr});
  }

  std::string alias_of(const Node &word) {
    std::string name(sources_.text(word.span));
    if (name.find('.') != std::string::npos)
      reporter_.report(Code::syntax_error, word.span,
                       fmt::format("'{}' cannot be the name of a file: it has a point", name));
    return name;
  }

  // One name in front of a point stands for one file.
  void check_qualifiers(const std::vector<Import> &imports) {
    std::map<std::string, const Import *> known;
    for (const Import &import : imports) {
      auto [other, is_new] = known.emplace(import.qualifier, &import);
      if (is_new || import.qualifier.empty() || other->second->file == import.file)
        continue;
      reporter_.report(Code::duplicate_name, import.span,
                       fmt::format("two imported files are called '{}' here", import.qualifier),
                       {{other->second->span, "this is the other one"},
                        {std::nullopt, fmt::format("give one another name: import \"{}\" as NAME;",
                                                   sources_.at(import.file).name)}});
    }
  }

  // Loads the file that an import means, unless it is loaded already; nothing if that fails.
  std::optional<std::uint32_t> follow(const std::string &path) {
    const Open &at = open_.back();
    Result<Importer::Found> found =
        importer_ ? importer_->find(path, sources_.at(at.file).name) : not_found(path);
    if (!found)
      return fail(at.import, found.errors());
    auto again = std::find_if(open_.begin(), open_.end(),
                              [&](const Open &open) { return identity(open.file) == found->identity; });
    if (again != open_.end())
      return report_cycle(again);
    if (auto known = files_.find(found->identity); known != files_.end())
      return known->second;
    Result<std::string> text = importer_->read(found->name);
    if (!text)
      return fail(at.import, text.errors());
    const std::uint32_t file = sources_.add({found->name, std::move(*text), found->identity});
    load(file);
    return file;
  }

  static Result<Importer::Found> not_found(const std::string &path) {
    return Diagnostic{Code::import_not_found, std::nullopt, fmt::format("cannot find \"{}\"", path), {}};
  }

  std::nullopt_t fail(Span quoted, const Diagnostics &why) {
    loaded.complete = false;
    for (const Diagnostic &one : why)
      reporter_.report(Code::import_not_found, quoted, one.message, one.notes);
    return std::nullopt;
  }

  std::nullopt_t report_cycle(std::vector<Open>::const_iterator first) {
    auto quoted = [&](const Open &open) {
      return fmt::format("'{}'", std::filesystem::path(sources_.at(open.file).name).filename().string());
    };
    std::string cycle;
    std::vector<Note> notes;
    for (auto step = first; step != open_.end(); ++step) {
      cycle += quoted(*step) + " imports ";
      if (step + 1 != open_.end())
        notes.push_back(
            {step->import, fmt::format("{} imports {} here", quoted(*step), quoted(*(step + 1)))});
    }
    reporter_.report(Code::recursive_definition, open_.back().import, cycle + quoted(*first),
                     std::move(notes));
    return std::nullopt;
  }

  static constexpr std::size_t import_limit = 200; // imports inside imports

  Sources &sources_;
  const Importer *importer_;
  Reporter &reporter_;
  std::vector<Open> open_;                     // each imported by the one before
  std::map<std::string, std::uint32_t> files_; // by identity
};

} // namespace

Loaded load(Sources &sources, std::uint32_t file, const Importer *importer, Reporter &reporter) {
  Loader loader(sources, importer, reporter);
  loader.loaded.main = file;
  loader.load(file);
  return std::move(loader.loaded);
}

} // namespace atl::parse
