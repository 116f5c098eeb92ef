#include "accel/print_description.h"

#include "atl/syntax/print.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sstream>

namespace atl::tests {

namespace {

std::string on_one_line(const std::string &text) {
  std::istringstream words(text);
  std::string all;
  for (std::string word; words >> word;)
    all += (all.empty() ? "" : " ") + word;
  return all;
}

std::string print(const Memory &memory) {
  std::string text = fmt::format("memory {} {}", memory.name, memory.registers);
  if (memory.rows)
    text += fmt::format(" rows of {} at {}", memory.rows->width, memory.rows->first);
  if (memory.rows && memory.rows->bank < memory.registers)
    text += fmt::format(" in banks of {}", memory.rows->bank);
  for (const auto &[elem, c_type] : memory.c_types)
    text += fmt::format(" {} \"{}\"", info(elem).name, c_type);
  return text;
}

std::string print(const Need &need) {
  std::vector<std::string> values;
  for (const auto &value : need.values)
    values.push_back(std::visit([](const auto &v) { return fmt::format("{}", v); }, value));
  return fmt::format(" needs {}({})", need.configuration, fmt::join(values, ", "));
}

std::string print(const Instruction &instruction) {
  std::string text = on_one_line(atl::print(instruction.meaning));
  for (std::size_t i = 0; i < instruction.memories.size(); ++i)
    if (!instruction.memories[i].empty())
      text += fmt::format(" {} @ {}", instruction.meaning.params[i].name, instruction.memories[i]);
  if (!instruction.result_memory.empty())
    text += fmt::format(" out @ {}", instruction.result_memory);
  for (const auto &[operand, bytes] : instruction.aligned)
    text += fmt::format(" {} aligned {}", operand, bytes);
  for (const Need &need : instruction.needs)
    text += print(need);
  if (!instruction.clobbers.empty())
    text += fmt::format(" clobbers {}", fmt::join(instruction.clobbers, ", "));
  return text + (instruction.adds ? " adds" : "") + (instruction.unordered ? " unordered" : "") +
         fmt::format(" c \"{}\"", instruction.c);
}

template <class Part>
std::string sorted_lines(const std::vector<Part> &parts, std::size_t first) {
  std::vector<std::string> lines;
  for (std::size_t i = first; i < parts.size(); ++i)
    lines.push_back(print(parts[i]));
  std::sort(lines.begin(), lines.end());
  return fmt::format("{}\n", fmt::join(lines, "\n"));
}

} // namespace

std::string print_description(const Hardware &hardware) {
  return fmt::format("hardware {} header \"{}\" available \"{}\" features {} begin \"{}\" finish \"{}\" "
                     "prefetch \"{}\"\n",
                     hardware.name, hardware.header, hardware.available, fmt::join(hardware.features, " "),
                     hardware.begin, hardware.finish, hardware.prefetch) +
         sorted_lines(hardware.memories, 0) + sorted_lines(hardware.instructions, hardware.inherited);
}

} // namespace atl::tests
