#include "cbackend/host/temp_folder.h"

#include "cbackend/host/interrupt.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <fstream>

namespace atl::cbackend {

namespace fs = std::filesystem;

static Diagnostic cannot_write(const fs::path &file, int error) {
  return {Code::cannot_write,
          {},
          fmt::format("{} cannot be written: {}", file.string(), std::strerror(error)),
          {}};
}

TempFolder::TempFolder(fs::path path)
    : path_(new fs::path(std::move(path)), [](const fs::path *folder) {
        remove_temporary(*folder);
        delete folder;
      }) {}

Result<TempFolder> TempFolder::create(const fs::path &parent) {
  std::string pattern = (parent / ".atlc-XXXXXX").string();
  Uninterrupted while_it_is_made;
  if (mkdtemp(pattern.data()) == nullptr)
    return cannot_write(parent, errno);
  add_temporary(pattern);
  return TempFolder(fs::path(pattern));
}

Result<NewFolder> NewFolder::create(const fs::path &path) {
  std::vector<fs::path> missing; // inner ones first
  std::error_code error;
  for (fs::path folder = fs::absolute(path, error).lexically_normal();
       !folder.empty() && !fs::exists(folder, error); folder = folder.parent_path())
    if (folder.has_filename())
      missing.push_back(folder);
  NewFolder made;
  Uninterrupted while_they_are_made;
  for (auto folder = missing.rbegin(); folder != missing.rend(); ++folder) {
    if (!fs::create_directory(*folder, error) && error)
      break;
    add_new_folder(*folder);
    made.made_.insert(made.made_.begin(), {new fs::path(*folder), [](const fs::path *mine) {
                                             remove_new_folder(*mine);
                                             delete mine;
                                           }});
  }
  if (error || !fs::is_directory(path, error))
    return Diagnostic{Code::cannot_write,
                      {},
                      fmt::format("cannot create folder {}: {}", path.string(),
                                  error ? error.message() : "a file has that name"),
                      {}};
  return made;
}

Result<fs::path> write_text(const fs::path &file, const std::string &text) {
  errno = 0;
  std::ofstream out(file, std::ios::binary);
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
  out.close();
  if (!out)
    return cannot_write(file, errno);
  return file;
}

} // namespace atl::cbackend
