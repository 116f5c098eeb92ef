// hostile_fuzz: programs, schedules and descriptions with random changes. The compiler may refuse them, but
// must not crash. Ends with status 1 if it does; the inputs are saved and made smaller.
#include "cbackend/host/temp_folder.h"
#include "fuzz/hostile_batch.h"
#include "fuzz/hostile_mutate.h"
#include "fuzz/seeds.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <fstream>

namespace atl::fuzz {

namespace {

struct Settings {
  Draws draws{1, 0, 1000};
  int seconds = 30;
  bool print = false;
  std::string root, save = ".";
};

// Failures are alike that begin alike: the rest may have names and numbers of the input.
std::string begin_of(const std::string &failure) {
  return failure.substr(0, 60);
}

// Leaves out tokens, first many at once, while it fails alike.
std::string smaller(const std::string &text, const std::string &failure, const Isolation &isolation) {
  int attempts = 400;
  auto fails = [&](const std::vector<Token> &tokens) {
    const auto found = failure_of(text_of(tokens), isolation);
    return --attempts >= 0 && found && begin_of(*found) == begin_of(failure);
  };
  std::vector<Token> tokens = tokens_of(text);
  if (!fails(tokens))
    return text;
  for (std::size_t part = (tokens.size() + 1) / 2; part > 0 && attempts > 0; part /= 2)
    for (std::size_t begin = 0; begin < tokens.size() && attempts > 0;) {
      std::vector<Token> fewer = tokens;
      const std::size_t end = std::min(begin + part, tokens.size());
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(begin),
                  fewer.begin() + static_cast<std::ptrdiff_t>(end));
      if (fails(fewer))
        tokens = std::move(fewer);
      else
        begin += part;
    }
  return text_of(tokens);
}

class HostileFuzzer {
public:
  explicit HostileFuzzer(const Settings &settings) : settings_(settings), corpus_(settings.root) {}

  bool run() {
    auto folder = cbackend::TempFolder::create(std::filesystem::temp_directory_path());
    if (!folder)
      throw std::runtime_error(folder.errors()[0].message);
    const Isolation isolation{folder->path(), settings_.seconds};
    auto start = std::chrono::steady_clock::now();
    const std::uint64_t end = settings_.draws.end();
    constexpr std::uint64_t batch = 500; // then a new process, whose memory is fresh
    for (std::uint64_t n = settings_.draws.first; n < end; n += batch) {
      Tally tally;
      drive_all(
          n, std::min(n + batch, end), [this](std::uint64_t i) { return input(i); }, isolation, tally);
      add(tally, isolation);
    }
    auto seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    fmt::print(
        "hostile_fuzz: seed {}, {} inputs from {} programs: {} refused by parser or checker, {} later, "
        "{} in part, {} accepted, {} stopped after {} s, {} failed; {:.0f} s\n",
        settings_.draws.seed, settings_.draws.count, corpus_.files(), all_.reached[0], all_.reached[1],
        all_.reached[2], all_.reached[3], all_.slow.size(), settings_.seconds, all_.failures.size(), seconds);
    return all_.failures.empty() && count(Driven::Reached::proved) > 0;
  }

private:
  std::uint64_t count(Driven::Reached reached) const {
    return all_.reached[static_cast<std::size_t>(reached)];
  }

  std::string input(std::uint64_t n) const {
    Random random(settings_.draws.seed, n * 1000003);
    std::string text = hostile_input(corpus_, random);
    if (settings_.print)
      fmt::print("// input {}\n{}\n", n, text);
    std::fflush(stdout);
    return text;
  }

  void add(const Tally &tally, const Isolation &isolation) {
    for (std::size_t i = 0; i < tally.reached.size(); ++i)
      all_.reached[i] += tally.reached[i];
    all_.slow.insert(all_.slow.end(), tally.slow.begin(), tally.slow.end());
    for (const std::uint64_t n : tally.slow)
      fmt::print("stopped after {} s: --seed {} --first {} --inputs 1 --print\n", settings_.seconds,
                 settings_.draws.seed, n);
    for (const auto &[n, failure] : tally.failures)
      report(n, failure, isolation);
  }

  void report(std::uint64_t n, const std::string &failure, const Isolation &isolation) {
    fmt::print("FAILED: --seed {} --first {} --inputs 1: {}\n", settings_.draws.seed, n, failure);
    const bool is_new = std::none_of(all_.failures.begin(), all_.failures.end(), [&](const auto &other) {
      return begin_of(other.second) == begin_of(failure) && failure.starts_with("internal");
    });
    all_.failures[n] = failure;
    const std::string text = is_new ? smaller(input(n), failure, isolation) : input(n);
    const auto path =
        std::filesystem::path(settings_.save) / fmt::format("hostile_{}_{}.atl", settings_.draws.seed, n);
    std::ofstream(path) << text;
    fmt::print("{}:\n{}\n", path.string(), is_new ? text.substr(0, 4000) : "(as one before)");
    std::fflush(stdout);
  }

  Settings settings_;
  Corpus corpus_;
  Tally all_;
};

} // namespace

} // namespace atl::fuzz

int main(int argc, char **argv) {
  using namespace atl::fuzz;
  Settings settings;
  settings.root = ATLC_SOURCE_ROOT;
  const FuzzProgram program{
      "hostile_fuzz",
      "Programs, schedules and descriptions with random changes, through the whole compiler",
      "--inputs",
      {
          {"--seconds", &settings.seconds, "of processor time, after which an input is stopped"},
          {"--root", &settings.root, "the folder with the programs that are changed"},
          {"--save", &settings.save, "the folder for inputs that fail"},
          {"--print", &settings.print, "print every input"},
      }};
  return run_fuzzer(program, settings.draws, argc, argv, [&] { return HostileFuzzer(settings).run(); });
}
