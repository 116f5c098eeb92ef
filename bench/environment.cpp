// Asks the machine what it is, and the peers for their versions_of_peers.
#include "bench/results.h"

#include "bench/threads.h"
#include "cbackend/host/compile.h"
#include "cbackend/host/machine.h"

#include <dlfcn.h>
#include <fmt/format.h>
#if ATLC_HAS_XSMM
#include <libxsmm.h>
#endif

#include <ctime>
#include <filesystem>
#include <fstream>

namespace atl::bench {

namespace {

namespace fs = std::filesystem;

// The value of the first line that begins with `key`, behind `separator`.
std::string value_in(const char *file, const std::string &key, char separator) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);)
    if (line.starts_with(key)) {
      std::string value = line.substr(line.find(separator) + 1);
      std::erase(value, '"');
      const std::size_t begin = value.find_first_not_of(" \t");
      return begin == std::string::npos ? "" : value.substr(begin);
    }
  return "";
}

std::string word_in(const fs::path &file) {
  std::ifstream in(file);
  std::string word;
  in >> word;
  return word;
}

std::vector<std::string> caches() {
  std::vector<std::string> found;
  for (int i = 0;; ++i) {
    const fs::path cache = fmt::format("/sys/devices/system/cpu/cpu0/cache/index{}", i);
    if (!fs::exists(cache / "level"))
      return found;
    const std::string type = word_in(cache / "type");
    if (type != "Instruction")
      found.push_back(fmt::format("L{} {}", word_in(cache / "level"), word_in(cache / "size")));
  }
}

std::string vectors() {
  if (__builtin_cpu_supports("avx512bw"))
    return "AVX-512";
  return __builtin_cpu_supports("avx2") ? "AVX2" : "";
}

std::string today() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  return fmt::format("{:04}-{:02}-{:02}", utc.tm_year + 1900, utc.tm_mon + 1, utc.tm_mday);
}

template <class Function>
Function *symbol(const char *library, const char *name) {
  void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  return handle ? reinterpret_cast<Function *>(dlsym(handle, name)) : nullptr;
}

std::string dnnl_version() {
  struct Version {
    int major, minor, patch;
  };
  auto *version = symbol<const Version *()>("libdnnl.so.2", "dnnl_version");
  return version ? fmt::format("{}.{}.{}", version()->major, version()->minor, version()->patch) : "";
}

// "OpenBLAS 0.3.21 DYNAMIC_ARCH ...": the second word.
std::string openblas_version() {
  auto *config = symbol<const char *()>("libopenblas.so.0", "openblas_get_config");
  if (!config)
    return "";
  const std::string text = config(), rest = text.substr(text.find(' ') + 1);
  return rest.substr(0, rest.find(' '));
}

std::string blis_version() {
  auto *version = symbol<const char *()>("libblis.so.4", "bli_info_get_version_str");
  return version ? version() : "";
}

std::string xsmm_version() {
#if ATLC_HAS_XSMM
  return LIBXSMM_VERSION;
#else
  return "";
#endif
}

std::string halide_version() {
  return "14"; // it does not say more of itself; its name in Debian and of its header has the version
}

// The names of rows' peers begin with these.
const std::map<std::string, std::string (*)()> versions_of_peers{{"BLIS", blis_version},
                                                                 {"Halide", halide_version},
                                                                 {"OpenBLAS", openblas_version},
                                                                 {"libxsmm", xsmm_version},
                                                                 {"oneDNN", dnnl_version}};

bool has_peer(const std::vector<Row> &rows, const std::string &name) {
  for (const Row &row : rows)
    for (const auto &[peer, time] : row.peers)
      if (peer.starts_with(name))
        return true;
  return false;
}

} // namespace

double load_average() {
  std::ifstream in("/proc/loadavg");
  double load = 0;
  in >> load;
  return load;
}

Environment environment(const Options &options, const std::vector<Row> &rows, double load_before) {
  Environment e;
  e.cpu = cbackend::cpu_model();
  e.vectors = vectors();
  e.cores = cpus();
  e.caches = caches();
  e.system = value_in("/etc/os-release", "PRETTY_NAME", '=');
  e.compiler = cbackend::compiler_version();
  for (const std::string &flag : cbackend::library_flags())
    e.flags += (e.flags.empty() ? "" : " ") + flag;
  e.atlc = ATLC_VERSION;
  e.date = today();
  e.quick = options.quick;
  e.load_before = load_before;
  e.load_after = load_average();
  for (const auto &[name, version] : versions_of_peers)
    if (has_peer(rows, name))
      e.peers[name] = version();
  return e;
}

} // namespace atl::bench
