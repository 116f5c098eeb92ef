// Every instruction of a hardware description against its meaning, on the CPU: random operands and edge
// cases, sizes from 0 to the number of lanes, memory that ends where the operand ends, any alignment unless
// the instruction asks for one. Exit code 77: the CPU lacks them.
#include "accel/instruction_code.h"
#include "accel/map_loops.h"
#include "accel/print_description.h"
#include "atl/check/check.h"
#include "atl/meaning/eval.h"
#include "atl/parse/parse.h"
#include "cbackend/host/compile.h"
#include "cbackend/host/temp_folder.h"

#include <CLI/CLI.hpp>
#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <iostream>
#include <random>
#include <sstream>

namespace atl::tests {

namespace {

namespace fs = std::filesystem;
using Run = void(const void *const *, const std::int64_t *, const std::int64_t *, void *);

// A page whose end is the end of what may be read or written.
class GuardedPage {
public:
  GuardedPage() : page_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))) {
    void *both = mmap(nullptr, 2 * page_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (both == MAP_FAILED || mprotect(static_cast<std::byte *>(both) + page_, page_, PROT_NONE) != 0)
      throw std::runtime_error("no memory");
    begin_ = static_cast<std::byte *>(both);
  }
  ~GuardedPage() { munmap(begin_, 2 * page_); }
  GuardedPage(const GuardedPage &) = delete;
  GuardedPage &operator=(const GuardedPage &) = delete;

  // Its last bytes; or, to be aligned otherwise, as many elements before them as there may be in a register.
  // Always a multiple of `alignment`.
  std::byte *place(std::size_t bytes, std::size_t element, std::size_t alignment,
                   std::mt19937_64 &random) const {
    constexpr std::size_t longest_register = 64;
    std::size_t behind = random() % 2 == 0 ? 0 : random() % (longest_register / element);
    return begin_ + (page_ - bytes - behind * element) / alignment * alignment;
  }

private:
  std::size_t page_;
  std::byte *begin_;
};

Scalar random_scalar(Elem elem, std::mt19937_64 &random) {
  if (elem == Elem::boolean)
    return make_bool(random() % 2 == 0);
  if (!is_float(elem)) {
    constexpr std::int64_t near_edge = 3;
    std::int64_t offset = static_cast<std::int64_t>(random() % near_edge);
    switch (random() % 4) {
    case 0: return make_integer(elem, least_integer(elem) + offset);
    case 1: return make_integer(elem, greatest_integer(elem) - offset);
    default: return make_integer(elem, static_cast<std::int64_t>(random()));
    }
  }
  switch (random() % 4) {
  case 0: {
    constexpr std::array special{0.0,
                                 -0.0,
                                 1.0,
                                 -1.0,
                                 1e-40,
                                 -1e-310,
                                 3.4e38,
                                 1e300,
                                 0.5,
                                 16777217.0,
                                 std::numeric_limits<double>::infinity(),
                                 -std::numeric_limits<double>::infinity(),
                                 std::numeric_limits<double>::quiet_NaN(),
                                 127.5,
                                 255.5,
                                 -128.5,
                                 2147483648.0};
    return make_real(elem, special[random() % special.size()]);
  }
  case 1: { // any bits
    if (elem == Elem::f32)
      return make_real(elem, std::bit_cast<float>(static_cast<std::uint32_t>(random())));
    return make_real(elem, std::bit_cast<double>(random()));
  }
  default: return make_real(elem, std::uniform_real_distribution<double>(-300, 300)(random));
  }
}

Tensor random_tensor(Elem elem, const std::vector<std::int64_t> &shape, std::mt19937_64 &random) {
  Tensor tensor = make_tensor(elem, shape);
  for (std::int64_t i = 0; i < tensor.element_count(); ++i)
    tensor.set(i, random_scalar(elem, random));
  return tensor;
}

std::vector<std::int64_t> shape_of(const Type &type, const Valuation &sizes) {
  std::vector<std::int64_t> shape;
  for (const Index &extent : type.shape)
    shape.push_back(evaluate(extent, sizes).value());
  return shape;
}

// How far apart the rows of an operand lie, in bytes: at least their length.
std::int64_t random_stride(const Tensor &tensor, std::mt19937_64 &random) {
  if (tensor.shape.size() != 2)
    return 0;
  constexpr std::uint64_t most = 5; // elements between two rows
  const auto gap = static_cast<std::int64_t>(random() % most);
  return (tensor.shape[1] + gap) * info(tensor.elem).bits / 8;
}

std::size_t alignment_of(const Instruction &instruction, const std::string &operand) {
  auto found = instruction.aligned.find(operand);
  return found == instruction.aligned.end() ? 1 : static_cast<std::size_t>(found->second);
}

// Copies the tensor to the end of the page, its rows that far apart.
const std::byte *place(const Tensor &tensor, std::int64_t stride, std::size_t alignment,
                       const GuardedPage &page, std::mt19937_64 &random) {
  const std::int64_t rows = stride == 0 ? 1 : tensor.shape[0];
  if (rows == 0)
    return page.place(0, byte_size(tensor.elem), alignment, random);
  const std::size_t row = tensor.bytes.size() / static_cast<std::size_t>(rows);
  std::byte *at = page.place(static_cast<std::size_t>(stride * (rows - 1)) + row, byte_size(tensor.elem),
                             alignment, random);
  for (std::int64_t r = 0; r < rows; ++r)
    std::copy_n(tensor.bytes.begin() + r * static_cast<std::ptrdiff_t>(row), row, at + r * stride);
  return at;
}

// The sizes, or nothing if the where clause excludes them.
std::optional<Valuation> random_sizes(const Kernel &meaning, std::mt19937_64 &random) {
  constexpr std::uint64_t most = 65; // more lanes than any register has
  Valuation sizes;
  for (const Param &param : meaning.params)
    if (param.kind == Param::Kind::size)
      sizes[param.name] = static_cast<std::int64_t>(random() % most);
  for (const Where &where : meaning.where)
    if (!evaluate(where.pred, sizes).value_or(false))
      return std::nullopt;
  return sizes;
}

struct Case {
  const TypedInstruction &instruction;
  Run *run;
};

// What differs, or nothing.
std::string compare_once(const Case &c, std::mt19937_64 &random, std::vector<GuardedPage> &pages) {
  const Kernel &meaning = c.instruction.source->meaning;
  std::optional<Valuation> sizes;
  while (!sizes)
    sizes = random_sizes(meaning, random);
  Tensors inputs;
  std::vector<const void *> operands;
  std::vector<std::int64_t> size_values, strides;
  for (const Param &param : meaning.params) {
    if (param.kind == Param::Kind::size) {
      size_values.push_back(sizes->at(param.name));
      continue;
    }
    Tensor tensor = random_tensor(param.type.elem, shape_of(param.type, *sizes), random);
    strides.push_back(random_stride(tensor, random));
    operands.push_back(place(tensor, strides.back(), alignment_of(*c.instruction.source, param.name),
                             pages.at(operands.size()), random));
    inputs[param.name] = std::move(tensor);
  }
  Tensor expected = evaluate(c.instruction.meaning, *sizes, inputs).at("out");
  std::byte *out = pages.back().place(expected.bytes.size(), byte_size(expected.elem),
                                      alignment_of(*c.instruction.source, "out"), random);
  constexpr std::size_t before = 64; // bytes that nothing may touch
  std::memset(out - before, 0x5A, before + expected.bytes.size());
  c.run(operands.data(), size_values.data(), strides.data(), out);
  Tensor actual = expected;
  std::copy(out, out + expected.bytes.size(), actual.bytes.begin());
  if (std::any_of(out - before, out, [](std::byte b) { return b != std::byte{0x5A}; }))
    return "it writes in front of its result";
  if (same_bits(actual, expected))
    return {};
  for (std::int64_t i = 0;; ++i)
    if (to_string(actual.get(i)) != to_string(expected.get(i))) {
      std::string text = fmt::format("lane {} is {}, its meaning is {}", i, to_string(actual.get(i)),
                                     to_string(expected.get(i)));
      for (const auto &[name, size] : *sizes)
        text += fmt::format("; {} = {}", name, size);
      for (const auto &[name, tensor] : inputs)
        if (tensor.element_count() > 0)
          text +=
              fmt::format("; {}: {}", name,
                          to_string(tensor.get(tensor.shape.empty() || i >= tensor.element_count() ? 0 : i)));
      return text;
    }
}

std::string compare_often(const Case &c, int count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<GuardedPage> pages(6);
  std::string problem;
  for (int i = 0; i < count && problem.empty(); ++i)
    problem = compare_once(c, random, pages);
  return problem;
}

// In a process of its own, which ends where an instruction touches memory that it must not. True: no problem.
bool passes(const Case &c, int count, std::uint64_t seed) {
  const std::string &name = c.instruction.source->meaning.name;
  std::fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    std::string problem = compare_often(c, count, seed);
    if (!problem.empty())
      fmt::print("FAILED {}: {}\n", name, problem);
    std::fflush(stdout);
    _exit(problem.empty() ? 0 : 1);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child)
    throw std::runtime_error("no process for " + name);
  if (WIFSIGNALED(status))
    fmt::print("FAILED {}: signal {}: it touches memory beside its operands, or needs another alignment\n",
               name, WTERMSIG(status));
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

template <class T>
T required(Result<T> result, const Sources &sources) {
  if (!result)
    throw std::runtime_error(render(result.errors().front(), sources));
  return std::move(*result);
}

std::string text_of(const fs::path &path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// Without the instructions of a description that it extends, which have a test of their own.
Hardware only_own(Hardware hardware) {
  auto first = hardware.instructions.begin();
  hardware.instructions.erase(first, first + static_cast<std::ptrdiff_t>(hardware.inherited));
  return hardware;
}

Program read_program(const fs::path &path, Sources &sources) {
  return required(
      parse_program(sources, sources.add({path.string(), text_of(path)}),
                    [](const std::string &import) { return std::optional<std::string>(text_of(import)); }),
      sources);
}

void print(const fs::path &path) {
  Sources sources;
  const Program program = read_program(path, sources);
  for (const Hardware &described : program.hardware)
    if (described.span.file == 0)
      fmt::print("{}", print_description(described));
}

enum class Outcome { passed, failed, skipped };

Outcome test(const fs::path &path, int count, std::uint64_t seed) {
  Sources sources;
  Program program = read_program(path, sources);
  bool passed = true;
  for (const Hardware &described : program.hardware) {
    if (described.span.file != 0)
      continue;
    const Hardware hardware = only_own(described);
    std::vector<TypedInstruction> instructions = required(check_hardware(hardware, program), sources);
    auto folder = required(cbackend::TempFolder::create(fs::temp_directory_path()), sources);
    fs::path source = required(
        cbackend::write_text(folder.path() / "instructions.c", instruction_functions(hardware)), sources);
    fs::path object =
        required(cbackend::compile_shared(cbackend::c_compiler(), {"-O1"}, source, folder.path() / "code.so"),
                 sources);
    void *library = dlopen(object.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library)
      throw std::runtime_error(dlerror());
    auto is_supported = reinterpret_cast<int (*)()>(dlsym(library, "is_supported"));
    if (is_supported() == 0) {
      fmt::print("SKIPPED {}: this CPU does not have its instructions\n", hardware.name);
      return Outcome::skipped;
    }
    for (const TypedInstruction &instruction : instructions) {
      Case c{instruction,
             reinterpret_cast<Run *>(dlsym(library, function_name(*instruction.source).c_str()))};
      passed = passes(c, count, seed) && passed;
    }
    fmt::print("{}: {} instructions, {} times each, seed {}\n", hardware.name, instructions.size(), count,
               seed);
  }
  return passed ? Outcome::passed : Outcome::failed;
}

} // namespace

} // namespace atl::tests

int main(int argc, char **argv) {
  CLI::App app("Instructions of hardware descriptions against their meanings, on this CPU.", "instructions");
  std::vector<std::string> files;
  int count = 10000;
  std::uint64_t seed = 1;
  bool only_print = false;
  app.add_option("FILE", files, "hardware descriptions")->required();
  app.add_option("--count", count, "random operands for each instruction")->capture_default_str();
  app.add_option("--seed", seed, "of the random numbers")->capture_default_str();
  app.add_flag("--print", only_print, "the instructions themselves, in the order of their names");
  CLI11_PARSE(app, argc, argv);
  bool failed = false, skipped = false;
  try {
    for (const std::string &file : files) {
      if (only_print) {
        atl::tests::print(file);
        continue;
      }
      auto outcome = atl::tests::test(file, count, seed);
      failed = failed || outcome == atl::tests::Outcome::failed;
      skipped = skipped || outcome == atl::tests::Outcome::skipped;
    }
  } catch (const std::exception &error) {
    std::cerr << "instructions: " << error.what() << '\n';
    return 1;
  }
  return failed ? 1 : skipped ? 77 : 0;
}
