#include "accel/machines.h"

#include "accel/instruction_code.h"
#include "cbackend/host/compile.h"
#include "cbackend/host/process.h"
#include "cbackend/host/temp_folder.h"

#include <fmt/format.h>
#include <stdexcept>

namespace atl::tests {

namespace {

using Words = std::vector<std::string>;
constexpr int exit_skipped = 77;

bool starts(const Words &program) {
  Words asking = program;
  asking.emplace_back("--version");
  return static_cast<bool>(cbackend::run_successfully(asking));
}

// SIMDe is headers; is it there?
bool has_simde(const Words &compiler, const std::filesystem::path &folder) {
  Words asking = compiler;
  const std::filesystem::path source = folder / "asks.c";
  if (!cbackend::write_text(source, "#include <simde/arm/neon.h>\n"))
    return false;
  for (const std::string &word : {std::string("-fsyntax-only"), source.string()})
    asking.push_back(word);
  return static_cast<bool>(cbackend::run_successfully(asking));
}

} // namespace

std::vector<std::string> machine_names() {
  return {"cpu", "simde", "aarch64"};
}

Machine machine_named(const std::string &name) {
  if (name == "aarch64")
    return {name, {"aarch64-linux-gnu-gcc"}, {"qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"}};
  return {name, cbackend::c_compiler(), {}, name == "simde"};
}

std::optional<Words> build_runner(const Hardware &hardware, const Machine &machine,
                                  const std::filesystem::path &folder) {
  auto missing = [&](const std::string &what) {
    fmt::print("SKIPPED {} on {}: {}\n", hardware.name, machine.name, what);
    return std::nullopt;
  };
  for (const Words &program : {machine.compiler, machine.emulator})
    if (!program.empty() && !starts({program[0]}))
      return missing("there is no " + program[0]);
  if (machine.in_portable_c && !has_simde(machine.compiler, folder))
    return missing("there is no SIMDe");
  const std::string code = instruction_functions(hardware, machine.in_portable_c);
  if (!cbackend::write_text(folder / "instructions.c", code))
    throw std::runtime_error("the C of the instructions cannot be written");
  const std::filesystem::path program = folder / "runner";
  Words compile = machine.compiler;
  for (const std::string &word :
       {std::string("-std=c11"), std::string("-O1"), std::string("-ffp-contract=off"), "-I" + folder.string(),
        "-I" + std::filesystem::path(ATL_RUNNER).parent_path().string(), std::string("-o"), program.string(),
        std::string(ATL_RUNNER), std::string("-lm")})
    compile.push_back(word);
  if (auto compiled = cbackend::run_successfully(compile); !compiled) {
    const Diagnostic &error = compiled.errors().front();
    throw std::runtime_error(error.message + (error.notes.empty() ? "" : "\n" + error.notes[0].text));
  }
  Words run = machine.emulator;
  run.push_back(program.string());
  auto asked = cbackend::run_program(run);
  if (!asked || (asked->status != 0 && asked->status != exit_skipped))
    throw std::runtime_error("the program that runs instructions does not start");
  if (asked->status == exit_skipped)
    return missing("this CPU does not have its instructions");
  return run;
}

} // namespace atl::tests
