// What an emitted file holds besides kernels, word by word: its preamble, the helper functions, the function
// that names errors, the header. The meaning that the reader gives to a call of a helper is that of these
// texts.
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace atl::proofs::reader {

std::string preamble(const std::string &header, bool stdlib, bool math, bool openmp);
std::string strerror_text(const std::string &library, const std::string &codes);
std::string error_enum(const std::string &library, const std::string &codes);

// The definition of a helper: atl_cdiv, atl_add_i32, atl_u8_from_f32; nothing for another name.
std::optional<std::string> helper(const std::string &name);

// What is wrong with a kernel's arguments, in the order of the numbers from 0; CODES_OK, ...
struct ErrorText {
  std::string suffix, message;
};
const std::vector<ErrorText> &error_texts();

} // namespace atl::proofs::reader
