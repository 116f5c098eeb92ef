// Names of the program as C identifiers. A name is kept unless C, C++ (the header serves both) or the emitted
// code uses it otherwise; then it gets underscores: `int` -> `int_`. The choice depends on the program alone.
#pragma once
#include <set>
#include <string>
#include <string_view>

namespace atl::cbackend {

bool is_reserved_word(std::string_view name);    // keywords, macros and identifiers of the emitted code
bool is_library_function(std::string_view name); // of the C library: a kernel must not define or replace it
bool is_system_library(std::string_view name);   // "m": our libm.a would be taken for it
bool is_system_header(std::string_view stem);    // "math": our math.h would be taken for it

std::string c_identifier(std::string_view text);     // other characters than letters, digits and _ become _
std::string upper_case(std::string_view identifier); // for the error codes
std::string c_name_of(const std::string &name);      // if nothing else has it

// The identifiers that are visible at a place. A copy is an inner scope.
class NameScope {
public:
  void reserve(std::string name) { taken_.insert(std::move(name)); }
  std::string claim(const std::string &name);
  // NAME_SUFFIX, or NAME_2_SUFFIX, where neither this nor NAME_2 is another name.
  std::string claim(const std::string &name, const std::string &suffix);

private:
  std::set<std::string> taken_;
};

} // namespace atl::cbackend
