#include "proofs/theorem/coq_cache.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <sstream>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace atl::proofs::coq {

namespace fs = std::filesystem;

namespace {

constexpr const char *form = "atlc theorem 1"; // of an entry
constexpr const char *separator = "----";      // between what is known and the text

// Of all compiled files, by their names.
std::string digest_of_library(const fs::path &library) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto &file : fs::recursive_directory_iterator(library, error))
    if (file.path().extension() == ".vo")
      files.push_back(file.path());
  std::sort(files.begin(), files.end());
  std::string all;
  for (const fs::path &file : files)
    all += file.lexically_relative(library).string() + " " + digest(content_of(file)) + "\n";
  return digest(all);
}

} // namespace

std::string content_of(const fs::path &file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::string digest(const std::string &bytes) {
  __extension__ typedef unsigned __int128 Wide;
  Wide prime = (Wide(1) << 88) + 0x13b;
  Wide hash = (Wide(0x6c62272e07bb0142ULL) << 64) + 0x62b821756295c58dULL;
  for (char byte : bytes)
    hash = (hash ^ static_cast<unsigned char>(byte)) * prime;
  return fmt::format("{:016x}{:016x}", static_cast<std::uint64_t>(hash >> 64),
                     static_cast<std::uint64_t>(hash));
}

fs::path default_cache() {
  const char *folder = std::getenv("XDG_CACHE_HOME"), *home = std::getenv("HOME");
  if (folder && *folder)
    return fs::path(folder) / "atlc";
  return home && *home ? fs::path(home) / ".cache" / "atlc" : fs::path();
}

Cache::Cache(fs::path folder, std::string version, const fs::path &library)
    : folder_(std::move(folder)), version_(std::move(version)) {
  std::replace(version_.begin(), version_.end(), '\n', ' ');
  if (!folder_.empty())
    library_ = digest_of_library(library);
}

fs::path Cache::entry(const std::string &text) const {
  return folder_ / digest(version_ + "\n" + library_ + "\n" + text);
}

std::optional<Checked> Cache::find(const std::string &text) const {
  if (folder_.empty())
    return std::nullopt;
  std::istringstream in(content_of(entry(text)));
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line) && line != separator;)
    lines.push_back(line);
  std::string kept{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  bool same =
      kept == text && lines.size() >= 4 && lines[0] == form && lines[1] == version_ && lines[2] == library_;
  if (!same)
    return std::nullopt;
  Checked result;
  result.proved = true;
  result.seconds = std::strtod(lines[3].c_str(), nullptr);
  result.axioms.assign(lines.begin() + 4, lines.end());
  return result;
}

// A reader sees a whole entry or none.
void Cache::keep(const std::string &text, const Checked &checked) const {
  std::error_code error;
  if (folder_.empty() || !checked.proved)
    return;
  fs::create_directories(folder_, error);
  fs::path final = entry(text), unfinished = final;
  unfinished += fmt::format(".{}.new", ::getpid());
  {
    std::ofstream out(unfinished, std::ios::binary);
    out << form << '\n'
        << version_ << '\n'
        << library_ << '\n'
        << fmt::format("{:.3f}", checked.seconds) << '\n';
    for (const std::string &axiom : checked.axioms)
      out << axiom << '\n';
    out << separator << '\n' << text;
    if (!out.flush()) {
      out.close();
      fs::remove(unfinished, error);
      return;
    }
  }
  fs::rename(unfinished, final, error);
  if (error)
    fs::remove(unfinished, error);
}

} // namespace atl::proofs::coq
