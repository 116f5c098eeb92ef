// A folder of our own that vanishes with its contents.
#pragma once
#include "atl/base/result.h"

#include <filesystem>
#include <memory>
#include <vector>

namespace atl::cbackend {

class TempFolder {
public:
  static Result<TempFolder> create(const std::filesystem::path &parent);
  const std::filesystem::path &path() const { return *path_; }

private:
  explicit TempFolder(std::filesystem::path path);
  std::shared_ptr<const std::filesystem::path> path_; // its deleter removes the folder
};

// A folder that is made, with those around it, if it is not there. Each of these that has nothing in it in
// the end vanishes again.
class NewFolder {
public:
  static Result<NewFolder> create(const std::filesystem::path &path);

private:
  std::vector<std::shared_ptr<const std::filesystem::path>> made_; // inner ones before outer ones
};

// Writes a new file; E8002 if that fails, also when the device is full.
Result<std::filesystem::path> write_text(const std::filesystem::path &file, const std::string &text);

} // namespace atl::cbackend
