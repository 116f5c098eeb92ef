#include "proofs/reader/c_names.h"

#include <cctype>

namespace atl::proofs::reader {

std::string identifier(const std::string &name) {
  std::string text = name;
  for (char &c : text)
    if (!std::isalnum(static_cast<unsigned char>(c)))
      c = '_';
  return text.empty() || std::isdigit(static_cast<unsigned char>(text[0])) ? "_" + text : text;
}

std::string capitals(std::string text) {
  for (char &c : text)
    c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

bool is_name_of(const std::string &c_name, const std::string &name) {
  const std::string own = identifier(name);
  for (const std::string &base : {own, "v_" + own}) {
    if (c_name == base)
      return true;
    if (!c_name.starts_with(base + "_"))
      continue;
    std::string rest = c_name.substr(base.size() + 1);
    rest = rest.starts_with("_") ? rest.substr(1) : rest;
    if (rest.find_first_not_of("0123456789") == std::string::npos)
      return true;
  }
  return false;
}

} // namespace atl::proofs::reader
