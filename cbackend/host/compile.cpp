#include "cbackend/host/compile.h"

#include "cbackend/host/process.h"
#include "cbackend/host/temp_folder.h"

#include <cstdlib>
#include <fmt/format.h>
#include <iterator>
#include <sstream>

namespace atl::cbackend {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

static Words words_of(const char *variable, const char *otherwise) {
  const char *value = std::getenv(variable);
  std::istringstream in(value ? value : "");
  Words words{std::istream_iterator<std::string>(in), {}};
  return words.empty() ? Words{otherwise} : words;
}

Words c_compiler() {
  return words_of("CC", "cc");
}

static Words command(Words program, const Words &arguments) {
  program.insert(program.end(), arguments.begin(), arguments.end());
  return program;
}

// The source asks for the same with a pragma; the flag is for compilers that do not know it.
const Words &library_flags() {
  static const Words flags{"-std=c11", "-O3", "-ffp-contract=off", "-fPIC"};
  return flags;
}

constexpr const char *openmp_flag = "-fopenmp";

constexpr const char *openmp_program = R"(#ifndef _OPENMP
#error "no OpenMP"
#endif
#include <omp.h>
int main(void) { return omp_get_max_threads() > 0 ? 0 : 1; }
)";

bool has_openmp(const Words &compiler) {
  std::error_code no_temporary_folder;
  auto folder = TempFolder::create(fs::temp_directory_path(no_temporary_folder));
  if (!folder)
    return false;
  auto source = write_text(folder->path() / "openmp.c", openmp_program);
  return source &&
         run_successfully(command(compiler, {openmp_flag, *source, "-o", folder->path() / "openmp"}));
}

static Result<Outcome> make_binaries(const fs::path &source, const fs::path &object, const fs::path &archive,
                                     const fs::path &shared, bool openmp) {
  Words cc = c_compiler();
  if (openmp)
    cc.emplace_back(openmp_flag);
  auto compiled = run_successfully(command(command(cc, library_flags()), {"-c", source, "-o", object}));
  if (!compiled)
    return compiled;
  auto archived = run_successfully(command(words_of("AR", "ar"), {"rcs", archive, object}));
  if (!archived)
    return archived;
  std::string soname = "-Wl,-soname," + shared.filename().string();
  return run_successfully(command(cc, {"-shared", "-o", shared, object, soname, "-lm"}));
}

Result<std::vector<fs::path>> build_binaries(const fs::path &folder, const std::string &library,
                                             bool openmp) {
  fs::path absolute = fs::absolute(folder);
  auto temporary = TempFolder::create(absolute);
  if (!temporary)
    return temporary.errors();
  fs::path archive = fmt::format("lib{}.a", library), shared = fmt::format("lib{}.so", library);
  auto made = make_binaries(absolute / (library + ".c"), temporary->path() / (library + ".o"),
                            temporary->path() / archive, temporary->path() / shared, openmp);
  if (!made)
    return made.errors();
  std::vector<fs::path> results;
  for (const fs::path &file : {archive, shared}) {
    std::error_code error;
    fs::rename(temporary->path() / file, absolute / file, error);
    if (error)
      return Diagnostic{Code::cannot_write,
                        {},
                        fmt::format("{} cannot be written: {}", (folder / file).string(), error.message()),
                        {}};
    results.push_back(folder / file);
  }
  return results;
}

Result<fs::path> compile_shared(const Words &compiler, const Words &flags, const fs::path &source,
                                const fs::path &object) {
  Words all = command(compiler, library_flags());
  auto compiled = run_successfully(command(command(all, flags), {"-shared", "-o", object, source, "-lm"}));
  if (!compiled)
    return compiled.errors();
  return object;
}

} // namespace atl::cbackend
