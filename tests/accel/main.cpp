// Every instruction of a hardware description against its meaning: random operands and edge cases, sizes from
// 0 to the number of lanes, memory that ends where the operand ends, any alignment unless the instruction
// asks for one. Exit code 77: they cannot be run here.
#include "accel/machines.h"
#include "accel/print_description.h"
#include "atl/check/check.h"
#include "atl/meaning/eval.h"
#include "atl/parse/parse.h"
#include "cbackend/host/process.h"
#include "cbackend/host/temp_folder.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <fstream>
#include <iostream>
#include <random>
#include <sstream>

namespace atl::tests {

namespace {

namespace fs = std::filesystem;

// How far before the end of its memory something begins: it ends there; or, to be aligned otherwise, as many
// elements before as there may be in a register. Always a multiple of `alignment`.
std::int64_t random_place(std::int64_t bytes, std::int64_t element, std::int64_t alignment,
                          std::mt19937_64 &random) {
  constexpr std::int64_t longest_register = 64;
  const auto behind =
      random() % 2 == 0 ? 0 : static_cast<std::int64_t>(random() % (longest_register / element));
  return (bytes + behind * element + alignment - 1) / alignment * alignment;
}

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

std::int64_t alignment_of(const Instruction &instruction, const std::string &operand) {
  auto found = instruction.aligned.find(operand);
  return found == instruction.aligned.end() ? 1 : found->second;
}

// The tensor in memory, its rows that far apart.
std::vector<std::byte> in_memory(const Tensor &tensor, std::int64_t stride) {
  const std::int64_t rows = stride == 0 ? 1 : tensor.shape[0];
  if (rows == 0)
    return {};
  const std::size_t row = tensor.bytes.size() / static_cast<std::size_t>(rows);
  std::vector<std::byte> memory(static_cast<std::size_t>(stride * (rows - 1)) + row);
  for (std::int64_t r = 0; r < rows; ++r)
    std::copy_n(tensor.bytes.begin() + r * static_cast<std::ptrdiff_t>(row), row,
                memory.begin() + r * stride);
  return memory;
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
  Valuation sizes;
  Tensors inputs;
  Tensor expected;
};

// One for the runner (runner.c), which is told what to do in `text`.
Case new_case(const TypedInstruction &instruction, std::mt19937_64 &random, std::string &text) {
  const Kernel &meaning = instruction.source->meaning;
  std::optional<Valuation> sizes;
  while (!sizes)
    sizes = random_sizes(meaning, random);
  Case result{*sizes, {}, {}};
  std::vector<std::int64_t> places, values;
  std::vector<std::byte> bytes;
  for (const Param &param : meaning.params) {
    if (param.kind == Param::Kind::size) {
      values.push_back(sizes->at(param.name));
      continue;
    }
    Tensor tensor = random_tensor(param.type.elem, shape_of(param.type, *sizes), random);
    const std::int64_t stride = random_stride(tensor, random);
    const std::vector<std::byte> memory = in_memory(tensor, stride);
    const auto length = static_cast<std::int64_t>(memory.size());
    const auto element = static_cast<std::int64_t>(byte_size(tensor.elem));
    places.push_back(random_place(length, element, alignment_of(*instruction.source, param.name), random));
    places.push_back(length);
    places.push_back(stride);
    bytes.insert(bytes.end(), memory.begin(), memory.end());
    result.inputs[param.name] = std::move(tensor);
  }
  result.expected = evaluate(instruction.meaning, *sizes, result.inputs).at("out");
  const auto length = static_cast<std::int64_t>(result.expected.bytes.size());
  const auto element = static_cast<std::int64_t>(byte_size(result.expected.elem));
  std::vector<std::int64_t> numbers{static_cast<std::int64_t>(places.size()) / 3};
  numbers.insert(numbers.end(), places.begin(), places.end());
  numbers.push_back(static_cast<std::int64_t>(values.size()));
  numbers.insert(numbers.end(), values.begin(), values.end());
  numbers.push_back(random_place(length, element, alignment_of(*instruction.source, "out"), random));
  numbers.push_back(length);
  text.append(reinterpret_cast<const char *>(numbers.data()), numbers.size() * sizeof numbers[0]);
  text.append(reinterpret_cast<const char *>(bytes.data()), bytes.size());
  return result;
}

constexpr std::size_t before = 64; // bytes in front of a result that nothing may touch

// What differs, or nothing.
std::string compare(const Case &c, const std::byte *result) {
  if (std::any_of(result, result + before, [](std::byte b) { return b != std::byte{0x5A}; }))
    return "it writes in front of its result";
  Tensor actual = c.expected;
  std::copy_n(result + before, actual.bytes.size(), actual.bytes.begin());
  if (same_bits(actual, c.expected))
    return {};
  for (std::int64_t i = 0;; ++i)
    if (to_string(actual.get(i)) != to_string(c.expected.get(i))) {
      std::string text = fmt::format("lane {} is {}, its meaning is {}", i, to_string(actual.get(i)),
                                     to_string(c.expected.get(i)));
      for (const auto &[name, size] : c.sizes)
        text += fmt::format("; {} = {}", name, size);
      for (const auto &[name, tensor] : c.inputs)
        if (tensor.element_count() > 0)
          text +=
              fmt::format("; {}: {}", name,
                          to_string(tensor.get(tensor.shape.empty() || i >= tensor.element_count() ? 0 : i)));
      return text;
    }
}

std::string text_of(const fs::path &path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

struct Runner {
  std::vector<std::string> program;
  fs::path folder;
};

// What is wrong with an instruction, or nothing. It runs in a process of its own, which ends where it touches
// memory that it must not.
std::string problem_of(const TypedInstruction &instruction, std::size_t number, const Runner &runner,
                       int count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::string text;
  std::vector<Case> cases;
  for (int i = 0; i < count; ++i)
    cases.push_back(new_case(instruction, random, text));
  const fs::path cases_file = runner.folder / "cases", results_file = runner.folder / "results";
  std::ofstream(cases_file, std::ios::binary) << text;
  std::vector<std::string> program = runner.program;
  for (const std::string &word : {std::to_string(number), cases_file.string(), results_file.string()})
    program.push_back(word);
  auto done = cbackend::run_program(program);
  if (!done)
    throw std::runtime_error("no process for " + instruction.source->meaning.name);
  if (done->status > 128)
    return fmt::format("signal {}: it touches memory beside its operands, or needs another alignment",
                       done->status - 128);
  if (done->status != 0)
    return "it cannot be run: " + done->output;
  const std::string results = text_of(results_file);
  std::size_t at = 0;
  for (const Case &c : cases) {
    if (at + before + c.expected.bytes.size() > results.size())
      return "results are missing";
    if (std::string problem = compare(c, reinterpret_cast<const std::byte *>(results.data()) + at);
        !problem.empty())
      return problem;
    at += before + c.expected.bytes.size();
  }
  return {};
}

template <class T>
T required(Result<T> result, const Sources &sources) {
  if (!result)
    throw std::runtime_error(render(result.errors().front(), sources));
  return std::move(*result);
}

// Without the instructions of a description that it extends, which have a test of their own.
Hardware only_own(Hardware hardware) {
  auto first = hardware.instructions.begin();
  hardware.instructions.erase(first, first + static_cast<std::ptrdiff_t>(hardware.inherited));
  return hardware;
}

// Descriptions import others of the same folder.
class FromFolder : public Importer {
public:
  Result<Found> find(const std::string &path, const std::string &from) const override {
    const std::string name = (fs::path(from).parent_path() / path).string();
    return Found{name, name};
  }
  Result<std::string> read(const std::string &name) const override { return text_of(name); }
};

Program read_program(const fs::path &path, Sources &sources) {
  const FromFolder importer;
  return required(parse_program(sources, sources.add({path.string(), text_of(path)}), &importer), sources);
}

void print(const fs::path &path) {
  Sources sources;
  const Program program = read_program(path, sources);
  for (const Hardware &described : program.hardware)
    if (described.span.file == 0)
      fmt::print("{}", print_description(described));
}

enum class Outcome { passed, failed, skipped };

// On the first of these machines that can run the instructions.
Outcome test(const fs::path &path, const std::vector<std::string> &machines, int count, std::uint64_t seed) {
  Sources sources;
  Program program = read_program(path, sources);
  bool passed = true;
  for (const Hardware &described : program.hardware) {
    if (described.span.file != 0)
      continue;
    const Hardware hardware = only_own(described);
    std::vector<TypedInstruction> instructions = required(check_hardware(hardware, program), sources);
    auto folder = required(cbackend::TempFolder::create(fs::temp_directory_path()), sources);
    std::optional<std::vector<std::string>> runner;
    std::string machine;
    for (std::size_t i = 0; i < machines.size() && !runner; ++i) {
      machine = machines[i];
      const fs::path own = folder.path() / machine;
      fs::create_directory(own);
      runner = build_runner(hardware, machine_named(machine), own);
    }
    if (!runner)
      return Outcome::skipped;
    for (std::size_t i = 0; i < instructions.size(); ++i) {
      std::string problem = problem_of(instructions[i], i, {*runner, folder.path()}, count, seed);
      if (problem.empty())
        continue;
      passed = false;
      fmt::print("FAILED {}: {}\n", instructions[i].source->meaning.name, problem);
    }
    fmt::print("{} on {}: {} instructions, {} times each, seed {}\n", hardware.name, machine,
               instructions.size(), count, seed);
  }
  return passed ? Outcome::passed : Outcome::failed;
}

} // namespace

} // namespace atl::tests

int main(int argc, char **argv) {
  CLI::App app("Instructions of hardware descriptions against their meanings.", "instructions");
  std::vector<std::string> files;
  int count = 10000;
  std::uint64_t seed = 1;
  std::vector<std::string> machines{"cpu", "simde"};
  bool only_print = false;
  app.add_option("FILE", files, "hardware descriptions")->required();
  app.add_option("--count", count, "random operands for each instruction")->capture_default_str();
  app.add_option("--seed", seed, "of the random numbers")->capture_default_str();
  app.add_option("--on", machines, "machines, of which the first one that can run them is taken")
      ->delimiter(',')
      ->check(CLI::IsMember(atl::tests::machine_names()))
      ->capture_default_str();
  app.add_flag("--print", only_print, "the instructions themselves, in the order of their names");
  CLI11_PARSE(app, argc, argv);
  bool failed = false, skipped = false;
  try {
    for (const std::string &file : files) {
      if (only_print) {
        atl::tests::print(file);
        continue;
      }
      auto outcome = atl::tests::test(file, machines, count, seed);
      failed = failed || outcome == atl::tests::Outcome::failed;
      skipped = skipped || outcome == atl::tests::Outcome::skipped;
    }
  } catch (const std::exception &error) {
    std::cerr << "instructions: " << error.what() << '\n';
    return 1;
  }
  return failed ? 1 : skipped ? 77 : 0;
}
