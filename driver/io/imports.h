// The files that imports name. A path is looked up in the folder of the importing file; then, unless it
// begins with ./ or ../, in the folders that the user gives, in those of the environment variable ATLC_PATH
// (with colons between them), and among the files that come with atlc.
#pragma once
#include "atl/parse/parse.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace atl::driver {

// The texts of files, by the name that sources have, where they differ from what is on the disk.
using Texts = std::map<std::string, std::string>;

class ImportPath : public Importer {
public:
  explicit ImportPath(const std::vector<std::string> &folders, Texts texts = {});
  Result<Found> find(const std::string &path, const std::string &from) const override;
  Result<std::string> read(const std::string &name) const override;
  const std::vector<std::filesystem::path> &folders() const { return folders_; }
  Result<std::string> read_program(const std::string &name, const std::filesystem::path &file) const;

private:
  std::vector<std::filesystem::path> folders_;
  Texts texts_;
};

std::string identity_of(const std::filesystem::path &file); // empty: there is none

} // namespace atl::driver
