#include "driver/io/files.h"

#include "cbackend/host/interrupt.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <system_error>
#include <unistd.h>

namespace atl::driver {

namespace fs = std::filesystem;

static Diagnostic failed(Code code, const char *verb, const fs::path &path, const std::string &why) {
  return {code, std::nullopt, fmt::format("cannot {} {}: {}", verb, path.string(), why), {}};
}

// A pipe of the shell. To open a pipe by its own name could take for ever.
static bool is_open_already(const fs::path &path) {
  const std::string name = path.string();
  return name == "/dev/stdin" || name.starts_with("/dev/fd/") || name.starts_with("/proc/self/fd/");
}

// What would never end, or has no size to look at before it is read.
static std::string objection(const fs::path &path, std::uintmax_t most) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  if (fs::is_directory(status))
    return "it is a directory";
  if (fs::exists(status) && !fs::is_regular_file(status) && !(fs::is_fifo(status) && is_open_already(path)))
    return "it is no regular file";
  const std::uintmax_t size = fs::exists(status) ? fs::file_size(path, ignored) : 0;
  return size > most && !ignored ? fmt::format("it has {} bytes, and {} at most are read", size, most) : "";
}

Result<std::string> read_file(const fs::path &path, std::uintmax_t most) {
  if (path == "-")
    return read_file("/dev/stdin", most);
  if (std::string why = objection(path, most); !why.empty())
    return failed(Code::cannot_read, "read", path, why);
  std::FILE *file = std::fopen(path.c_str(), "rb");
  if (!file)
    return failed(Code::cannot_read, "read", path, std::strerror(errno));
  std::string content;
  char buffer[1 << 16];
  while (std::size_t n = std::fread(buffer, 1, sizeof buffer, file)) {
    content.append(buffer, n);
    if (content.size() > most) { // a pipe, or a file in /proc, whose size is 0
      std::fclose(file);
      return failed(Code::cannot_read, "read", path, fmt::format("it has more than {} bytes", most));
    }
  }
  bool bad = std::ferror(file) != 0;
  int why = errno;
  std::fclose(file);
  if (bad)
    return failed(Code::cannot_read, "read", path, std::strerror(why));
  return content;
}

static std::optional<Diagnostic> write_to_standard_output(std::string_view content) {
  errno = 0;
  if (std::fwrite(content.data(), 1, content.size(), stdout) == content.size() && std::fflush(stdout) == 0)
    return std::nullopt;
  return failed(Code::cannot_write, "write", "standard output", std::strerror(errno));
}

// Writes and closes; the error of whichever step failed first, or 0.
static int write_and_close(std::FILE *file, std::string_view content) {
  errno = 0;
  bool written =
      std::fwrite(content.data(), 1, content.size(), file) == content.size() && std::fflush(file) == 0;
  int why = written ? 0 : errno ? errno : EIO;
  if (std::fclose(file) != 0 && why == 0)
    why = errno;
  return why;
}

std::optional<Diagnostic> write_file(const fs::path &path, std::string_view content) {
  if (path == "-")
    return write_to_standard_output(content);
  std::error_code ignored;
  fs::file_status status = fs::status(path, ignored);
  if (fs::is_directory(status))
    return failed(Code::cannot_write, "write", path, "it is a directory");
  bool device =
      fs::exists(status) && !fs::is_regular_file(status); // such as /dev/stdout: it cannot be renamed over
  fs::path target = device ? path : fs::path(path.string() + fmt::format(".tmp{}", ::getpid()));
  std::optional<cbackend::Uninterrupted> until_written;
  if (!device)
    until_written.emplace();
  std::FILE *file = std::fopen(target.c_str(), "wb");
  if (!file)
    return failed(Code::cannot_write, "write", path, std::strerror(errno));
  int why = write_and_close(file, content);
  if (why == 0 && !device && std::rename(target.c_str(), path.c_str()) != 0)
    why = errno;
  if (why == 0)
    return std::nullopt;
  if (!device)
    fs::remove(target, ignored);
  return failed(Code::cannot_write, "write", path, std::strerror(why));
}

std::optional<Diagnostic> make_folder(const fs::path &path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error || !fs::is_directory(path))
    return failed(Code::cannot_write, "create folder", path,
                  error ? error.message() : "a file has that name");
  return std::nullopt;
}

std::optional<Diagnostic> move_file(const fs::path &from, const fs::path &to) {
  std::error_code error;
  fs::rename(from, to, error);
  return error ? std::optional(failed(Code::cannot_write, "write", to, error.message())) : std::nullopt;
}

} // namespace atl::driver
