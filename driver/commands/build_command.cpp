#include "driver/commands/commands.h"

#include "atl/base/printable.h"
#include "cbackend/host/compile.h"
#include "cbackend/host/interrupt.h"
#include "cbackend/host/temp_folder.h"
#include "cbackend/library/emit_c.h"
#include "cbackend/term/names.h"
#include "driver/commands/report.h"
#include "driver/commands/selection.h"
#include "driver/console.h"
#include "driver/functions.h"
#include "driver/io/files.h"
#include "driver/library.h"
#include "driver/progress.h"
#include "driver/python_package.h"
#include "lowering/nest/alternatives.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace atl::driver {

namespace fs = std::filesystem;

// The name of the file as a C identifier; -lm must go on meaning the system's libm.
static std::string library_name(const fs::path &file) {
  std::string name = file.stem().string();
  for (char &c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)))
      c = '_';
  if (cbackend::is_system_library(name))
    name += "_kernels";
  return name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) ? "lib" + name : name;
}

static std::vector<std::string> read_programs(const Sources &sources) {
  std::vector<std::string> names;
  for (std::uint32_t i = 0; i < sources.size(); ++i)
    if (sources.at(i).name != standard_input)
      names.push_back(sources.at(i).name);
  return names;
}

// Goes out: the names of the files, in the folder.
static Result<std::vector<std::string>> write_library(const fs::path &folder,
                                                      const cbackend::Library &library,
                                                      const cbackend::Packaging &packaging, bool compiled) {
  for (const auto &[file, text] : compiled ? library.files() : library.sources())
    if (auto written = cbackend::write_text(folder / file, text); !written)
      return written.errors()[0];
  if (compiled)
    if (auto error = cbackend::build_binaries(folder, library.name, packaging.version, packaging.openmp))
      return *error;
  std::vector<std::string> outputs;
  for (const auto &entry : fs::directory_iterator(folder))
    outputs.push_back(entry.path().filename().string());
  std::sort(outputs.begin(), outputs.end());
  return outputs;
}

// All of them, or none if something interrupts.
static std::optional<Diagnostic> publish(const fs::path &from, const std::vector<std::string> &files,
                                         const fs::path &folder) {
  cbackend::Uninterrupted until_all_are_there;
  for (const std::string &file : files) {
    if (auto error = make_folder((folder / file).parent_path()))
      return error;
    if (auto error = move_file(from / file, folder / file))
      return error;
    detail("writes {}\n", printable_name((folder / file).string()));
  }
  return std::nullopt;
}

// The library, the package for Python if it is wanted, and the dependency file with the names of both: in a
// folder beside the target, and moved there once all of it exists.
static std::optional<Diagnostic> write_all(const BuildOptions &options, const Library &library,
                                           const cbackend::Packaging &packaging, const Sources &sources) {
  const Progress progress([&](double seconds) {
    return fmt::format("{}: the C is compiled, {:.0f} s", library.c.name, seconds);
  });
  const fs::path folder = options.folder;
  const auto target = cbackend::NewFolder::create(folder);
  if (!target)
    return target.errors()[0];
  const auto staging = cbackend::TempFolder::create(folder);
  if (!staging)
    return staging.errors()[0];
  auto outputs = write_library(staging->path(), library.c, packaging, options.emit == "library");
  if (!outputs)
    return outputs.errors()[0];
  if (options.python) {
    auto package = write_python(staging->path(), library, packaging);
    if (!package)
      return package.errors()[0];
    outputs->insert(outputs->end(), package->begin(), package->end());
  }
  std::vector<std::string> targets;
  for (const std::string &output : *outputs)
    targets.push_back((folder / output).string());
  const std::string depfile = library.c.name + ".d";
  const std::string text = cbackend::emit_depfile(targets, read_programs(sources));
  if (auto written = cbackend::write_text(staging->path() / depfile, text); !written)
    return written.errors()[0];
  outputs->push_back(depfile);
  return publish(staging->path(), *outputs, folder);
}

// Digits with points between them.
static bool is_version(const std::string &text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c == '.' || (c >= '0' && c <= '9'); }) &&
         text.front() != '.' && text.back() != '.' && text.find("..") == std::string::npos;
}

// The options that can be wrong by themselves, before any work is done.
static std::optional<Diagnostic> wrong_option(const BuildOptions &options) {
  auto wrong = [](std::string message, std::string help) {
    return Diagnostic{
        Code::bad_argument, std::nullopt, std::move(message), {{std::nullopt, std::move(help)}}};
  };
  if (!options.version.empty() && !is_version(options.version))
    return wrong(fmt::format("{} is no version of a library", options.version),
                 "write numbers with points, as 1.2.3");
  if (!options.prefix.empty() && cbackend::c_identifier(options.prefix) != options.prefix)
    return wrong(fmt::format("functions of C cannot begin with {}", options.prefix),
                 "write letters, digits and _");
  if (options.python && options.emit != "library")
    return wrong("--python packs the compiled library, which --emit c leaves out", "leave out one of both");
  std::error_code error;
  if (fs::exists(options.folder, error) && !fs::is_directory(options.folder, error))
    return Diagnostic{Code::cannot_write,
                      std::nullopt,
                      fmt::format("{} is a file; a folder is needed", options.folder),
                      {}};
  return std::nullopt;
}

int build_command(const BuildOptions &options) {
  if (auto problem = wrong_option(options))
    return fail(*problem);
  proofs::Prover prover(options.timeout_ms);
  Choice choice = choice_by_default(options, options.kernels, options.schedule);
  choice.exported = true;
  const auto [c, chosen, exit_code] = select_kernels(options.file, choice, options, prover);
  if (exit_code != exit_fine)
    return exit_code;
  std::string name = library_name(options.name.empty() ? fs::path(options.file) : fs::path(options.name));
  auto functions = functions_of(chosen, c, choice, options.prefix);
  if (!functions)
    return fail(functions.errors()[0]);
  const bool compiled = options.emit == "library";
  const bool openmp =
      compiled && cbackend::wants_openmp(*functions) && cbackend::has_openmp(cbackend::c_compiler());
  const cbackend::Packaging packaging{openmp, options.version};
  const Library library = make_library(name, std::move(*functions), prover, packaging);
  if (!library.ok()) {
    print_diagnostics(library.problems, library.sources);
    return library.late ? exit_wrong : exit_internal;
  }
  if (auto error = write_all(options, library, packaging, c.sources))
    return fail(*error);
  const std::size_t count = lowering::group_versions(library.kernels).size();
  summarize("{}: {} kernel{} in {}/{}\n", printable_name(options.file), count, count == 1 ? "" : "s",
            printable_name(options.folder), compiled ? "lib" + name + ".a" : library.c.source.name);
  return exit_fine;
}

} // namespace atl::driver
