#include "atl/syntax/names.h"

namespace atl {

std::string fresh_name(const std::string &name, const std::set<std::string> &taken) {
  std::string result = name;
  for (int n = 2; taken.contains(result); ++n)
    result = name + "_" + std::to_string(n);
  return result;
}

std::string take_name(const std::string &name, std::set<std::string> &taken) {
  return *taken.insert(fresh_name(name, taken)).first;
}

} // namespace atl
