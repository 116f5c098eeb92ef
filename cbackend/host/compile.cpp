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

static Words words_of(const char *variable) {
  const char *value = std::getenv(variable);
  std::istringstream in(value ? value : "");
  return {std::istream_iterator<std::string>(in), {}};
}

static Words program(const char *variable, const char *otherwise) {
  Words words = words_of(variable);
  return words.empty() ? Words{otherwise} : words;
}

Words c_compiler() {
  return program("CC", "cc");
}

static Words command(Words program, const Words &arguments) {
  program.insert(program.end(), arguments.begin(), arguments.end());
  return program;
}

// The source asks for the same with a pragma; the flag is for compilers that do not know it.
Words library_flags() {
  return command({"-std=c11", "-O3", "-ffp-contract=off", "-fPIC"}, words_of("CFLAGS"));
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

namespace {

struct Binaries {
  fs::path archive, shared;       // the files
  std::string soname;             // the name by which programs find the shared one
  std::vector<std::string> links; // further names of it

  Binaries(const std::string &library, const std::string &version)
      : archive(fmt::format("lib{}.a", library)), shared(fmt::format("lib{}.so", library)), soname(shared) {
    if (version.empty())
      return;
    soname = fmt::format("{}.{}", shared.string(), version.substr(0, version.find('.')));
    links = {shared};
    shared += "." + version;
    if (soname != shared)
      links.push_back(soname);
  }
};

Result<Outcome> make_binaries(const fs::path &source, const fs::path &folder, const Binaries &made,
                              bool openmp) {
  const fs::path object = folder / "object.o";
  Words cc = c_compiler();
  if (openmp)
    cc.emplace_back(openmp_flag);
  auto compiled = run_successfully(command(command(cc, library_flags()), {"-c", source, "-o", object}));
  if (!compiled)
    return compiled;
  auto archived = run_successfully(command(program("AR", "ar"), {"rcs", folder / made.archive, object}));
  if (!archived)
    return archived;
  const Words link{"-shared", "-o", folder / made.shared, object, "-Wl,-soname," + made.soname};
  return run_successfully(command(command(command(cc, link), words_of("LDFLAGS")), {"-lm"}));
}

} // namespace

std::optional<Diagnostic> build_binaries(const fs::path &folder, const std::string &library,
                                         const std::string &version, bool openmp) {
  const fs::path absolute = fs::absolute(folder);
  auto temporary = TempFolder::create(absolute);
  if (!temporary)
    return temporary.errors()[0];
  const Binaries binaries(library, version);
  auto made = make_binaries(absolute / (library + ".c"), temporary->path(), binaries, openmp);
  if (!made)
    return made.errors()[0];
  std::error_code error;
  for (const std::string &link : binaries.links)
    if (!error)
      fs::create_symlink(binaries.shared, temporary->path() / link, error);
  std::vector<fs::path> files{binaries.archive, binaries.shared};
  files.insert(files.end(), binaries.links.begin(), binaries.links.end());
  for (const fs::path &file : files) {
    if (!error)
      fs::rename(temporary->path() / file, absolute / file, error);
    if (error)
      return Diagnostic{Code::cannot_write,
                        {},
                        fmt::format("{} cannot be written: {}", (folder / file).string(), error.message()),
                        {}};
  }
  return std::nullopt;
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
