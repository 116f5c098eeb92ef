#include "fuzz/seeds.h"

#include <CLI/CLI.hpp>
#include <chrono>
#include <fmt/format.h>
#include <stdexcept>

namespace atl::fuzz {

std::uint64_t read_seed(const std::string &text) {
  if (text == "date") {
    const std::chrono::year_month_day today{
        std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now())};
    const std::uint64_t year = static_cast<unsigned>(static_cast<int>(today.year()));
    const std::uint64_t month = static_cast<unsigned>(today.month()),
                        day = static_cast<unsigned>(today.day());
    return year * 10000 + month * 100 + day;
  }
  if (text.empty() || text.size() > 19 || text.find_first_not_of("0123456789") != std::string::npos)
    throw std::invalid_argument(fmt::format("a seed is a number or `date`, not '{}'", text));
  return std::stoull(text);
}

namespace {

void add_option(CLI::App &app, const FuzzOption &option) {
  std::visit(
      [&](auto *value) {
        if constexpr (std::is_same_v<decltype(value), bool *>)
          app.add_flag(option.name, *value, option.help);
        else
          app.add_option(option.name, *value, option.help)->required(option.required);
      },
      option.value);
}

} // namespace

int run_fuzzer(const FuzzProgram &program, Draws &draws, int argc, char **argv,
               const std::function<bool()> &finds_nothing) {
  CLI::App app{program.about, program.name};
  std::string seed = "date";
  for (const FuzzOption &option : program.options)
    add_option(app, option);
  add_option(app, {"--seed", &seed, "of everything random: a number, or `date`"});
  add_option(app, {"--first", &draws.first, "number of the first one"});
  add_option(app, {program.how_many, &draws.count, "how many"});
  CLI11_PARSE(app, argc, argv);
  try {
    draws.seed = read_seed(seed);
    fmt::print("{}: repeat with --seed {} --first {} {} {}\n", program.name, draws.seed, draws.first,
               program.how_many, draws.count);
    std::fflush(stdout);
    return finds_nothing() ? 0 : 1;
  } catch (const std::exception &error) {
    fmt::print(stderr, "{}: {}\n", program.name, error.what());
    return 2;
  }
}

} // namespace atl::fuzz
