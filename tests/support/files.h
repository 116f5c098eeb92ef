// Programs of several files for unit tests: their texts by name.
#pragma once
#include "atl/parse/parse.h"

#include <filesystem>
#include <map>
#include <string>

namespace atl::testing {

using Files = std::map<std::string, std::string>;

// Imports are relative to the importing file. "again/x" is the same file as "x".
class FromFiles : public Importer {
public:
  explicit FromFiles(const Files &files) : files_(files) {}
  Result<Found> find(const std::string &path, const std::string &from) const override {
    const std::filesystem::path folder = std::filesystem::path(from).parent_path();
    const std::string name = (folder / path).lexically_normal().generic_string();
    const std::string identity = name.starts_with("again/") ? name.substr(6) : name;
    if (!files_.contains(identity))
      return Diagnostic{Code::import_not_found, std::nullopt, "cannot find " + name, {}};
    return Found{name, identity};
  }
  Result<std::string> read(const std::string &name) const override { return files_.at(name); }

private:
  const Files &files_;
};

// Parses the file `main` of a set of files.
inline Result<Program> parse(const Files &files, const std::string &main, Sources &sources) {
  const FromFiles importer(files);
  return parse_program(sources, sources.add({main, files.at(main)}), &importer);
}

// "file:1:8 E1005 unknown name 'x'", a line for each error; with notes, "  file:1:2 text" for each of them.
inline std::string errors_of(const Files &files, const std::string &main, bool with_notes = false) {
  Sources sources;
  Result<Program> program = parse(files, main, sources);
  std::string all;
  if (program)
    return all;
  for (const Diagnostic &error : program.errors()) {
    all += (error.span ? sources.where(*error.span) : "") + " " + code_name(error.code) + " " +
           error.message + "\n";
    for (const Note &note : error.notes)
      if (with_notes)
        all += "  " + (note.span ? sources.where(*note.span) + " " : "") + note.text + "\n";
  }
  return all;
}

} // namespace atl::testing
