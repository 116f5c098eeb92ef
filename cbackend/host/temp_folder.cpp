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
