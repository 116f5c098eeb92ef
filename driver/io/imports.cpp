#include "driver/io/imports.h"

#include "atl/base/spelling.h"
#include "driver/io/files.h"
#include "driver/io/shared_files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <sstream>
#include <sys/stat.h>

namespace atl::driver {

namespace fs = std::filesystem;

std::string identity_of(const fs::path &file) {
  struct stat status = {};
  if (::stat(file.c_str(), &status) != 0)
    return {};
  return fmt::format("{}:{}", status.st_dev, status.st_ino);
}

static bool stays_in_its_folder(const fs::path &path) {
  return path.is_absolute() || *path.begin() == "." || *path.begin() == "..";
}

// The program that is meant, its name without .atl; else the one that is most alike, of those in the folder
// that the path leads to, and of those in the others.
static std::string alike(const fs::path &path, const std::vector<fs::path> &folders) {
  std::vector<std::string> known;
  auto add_all = [&](const fs::path &folder, const fs::path &prefix) {
    std::error_code error;
    for (const auto &entry : fs::directory_iterator(folder.empty() ? "." : folder, error))
      if (entry.path().extension() == ".atl")
        known.push_back((prefix / entry.path().filename()).string());
  };
  std::string whole = path.string() + ".atl";
  for (const fs::path &folder : folders)
    if (std::error_code error; fs::exists(folder / whole, error))
      return whole;
  for (const fs::path &folder : folders)
    add_all(folder / path.parent_path(), path.parent_path());
  std::string near = closest_name(path.string(), {known.begin(), known.end()});
  if (!near.empty() || !path.has_parent_path())
    return near;
  known.clear();
  for (const fs::path &folder : folders)
    add_all(folder, "");
  return closest_name(path.filename().string(), {known.begin(), known.end()});
}

static Diagnostic not_found(const fs::path &path, const std::vector<fs::path> &folders) {
  std::vector<std::string> names;
  for (const fs::path &folder : folders)
    names.push_back(folder.empty() ? "." : folder.string());
  Diagnostic problem{
      Code::import_not_found, std::nullopt, fmt::format("cannot find \"{}\"", path.string()), {}};
  if (!path.is_absolute())
    problem.notes.push_back({std::nullopt, fmt::format("it was looked for in {}", fmt::join(names, ", "))});
  if (const std::string near = alike(path, folders); !near.empty())
    problem.notes.push_back({std::nullopt, fmt::format("did you mean \"{}\"?", near)});
  return problem;
}

ImportPath::ImportPath(const std::vector<std::string> &folders, Texts texts)
    : folders_(folders.begin(), folders.end()), texts_(std::move(texts)) {
  const char *path = std::getenv("ATLC_PATH");
  std::istringstream given(path ? path : "");
  for (std::string folder; std::getline(given, folder, ':');)
    if (!folder.empty())
      folders_.emplace_back(folder);
  folders_.push_back(shared_files());
}

Result<Importer::Found> ImportPath::find(const std::string &path, const std::string &from) const {
  std::vector<fs::path> folders{fs::path(from).parent_path()};
  if (!path.empty() && !stays_in_its_folder(path))
    folders.insert(folders.end(), folders_.begin(), folders_.end());
  for (const fs::path &folder : folders) {
    const fs::path file = (folder / path).lexically_normal();
    if (std::string identity = identity_of(file); !identity.empty())
      return Found{file.string(), std::move(identity)};
  }
  return not_found(path, folders);
}

Result<std::string> ImportPath::read(const std::string &name) const {
  return read_program(name, name);
}

Result<std::string> ImportPath::read_program(const std::string &name, const fs::path &file) const {
  const auto known = texts_.find(name);
  return known == texts_.end() ? read_file(file) : Result<std::string>(known->second);
}

} // namespace atl::driver
