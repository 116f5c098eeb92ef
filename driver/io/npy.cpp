#include "driver/io/npy.h"

#include "driver/io/files.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace atl::driver {

namespace {

constexpr std::string_view magic = "\x93NUMPY";

// The Python dictionary at the head of a file.
struct Header {
  std::optional<std::string> descr;
  std::optional<bool> fortran_order;
  std::optional<std::vector<std::int64_t>> shape;
};

// Reads {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), } with the keys in any order. Each function
// says whether it succeeded.
class HeaderReader {
public:
  explicit HeaderReader(std::string_view text) : rest_(text) {}

  std::optional<Header> read() {
    Header header;
    if (!take('{'))
      return std::nullopt;
    while (!take('}'))
      if (!entry(header) || (!take(',') && peek() != '}'))
        return std::nullopt;
    skip_space();
    bool complete = rest_.empty() && header.descr && header.fortran_order && header.shape;
    return complete ? std::optional(header) : std::nullopt;
  }

private:
  bool entry(Header &header) {
    auto key = quoted();
    if (!key || !take(':'))
      return false;
    if (*key == "descr" && !header.descr)
      return (header.descr = type()).has_value();
    if (*key == "fortran_order" && !header.fortran_order)
      return (header.fortran_order = boolean()).has_value();
    return *key == "shape" && !header.shape && (header.shape = tuple()).has_value();
  }

  void skip_space() {
    while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\n' || rest_.front() == '\t'))
      rest_.remove_prefix(1);
  }
  char peek() {
    skip_space();
    return rest_.empty() ? '\0' : rest_.front();
  }
  bool take(char c) {
    bool found = peek() == c && !rest_.empty();
    if (found)
      rest_.remove_prefix(1);
    return found;
  }
  bool take_word(std::string_view word) {
    skip_space();
    bool found = rest_.starts_with(word);
    if (found)
      rest_.remove_prefix(word.size());
    return found;
  }

  std::optional<std::string> quoted() {
    char quote = peek();
    if (quote != '\'' && quote != '"')
      return std::nullopt;
    std::size_t end = rest_.find(quote, 1);
    if (end == std::string_view::npos)
      return std::nullopt;
    std::string text(rest_.substr(1, end - 1));
    rest_.remove_prefix(end + 1);
    return text;
  }

  // A structured type is a list: it is skipped, and refused by its brackets.
  std::optional<std::string> type() {
    if (peek() != '[')
      return quoted();
    std::size_t end = rest_.find(']');
    if (end == std::string_view::npos)
      return std::nullopt;
    rest_.remove_prefix(end + 1);
    while (peek() == ']' || peek() == ')')
      rest_.remove_prefix(1);
    return "a structured type";
  }

  std::optional<bool> boolean() {
    if (take_word("False"))
      return false;
    return take_word("True") ? std::optional(true) : std::nullopt;
  }

  std::optional<std::vector<std::int64_t>> tuple() {
    std::vector<std::int64_t> extents;
    if (!take('('))
      return std::nullopt;
    while (!take(')')) {
      auto extent = number();
      if (!extent || (!take(',') && peek() != ')'))
        return std::nullopt;
      extents.push_back(*extent);
    }
    return extents;
  }

  std::optional<std::int64_t> number() {
    skip_space();
    std::int64_t value = 0;
    auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc() || value < 0)
      return std::nullopt;
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    take_word("L"); // written by old versions
    return value;
  }

  std::string_view rest_;
};

// Splits a file into its header and its data. Nothing, if the file is too short or not a .npy file.
struct Parts {
  std::string_view header, data;
};
std::optional<Parts> split(std::string_view content) {
  if (content.size() < 10 || !content.starts_with(magic))
    return std::nullopt;
  int version = static_cast<unsigned char>(content[6]);
  if (version < 1 || version > 3)
    return std::nullopt;
  std::size_t width = version == 1 ? 2 : 4, length = 0;
  if (content.size() < 8 + width)
    return std::nullopt;
  for (std::size_t i = width; i-- > 0;)
    length = length * 256 + static_cast<unsigned char>(content[8 + i]);
  std::string_view rest = content.substr(8 + width);
  if (length > rest.size())
    return std::nullopt;
  return Parts{rest.substr(0, length), rest.substr(length)};
}

std::optional<Elem> elem_of(std::string_view descr) {
  for (const ElemInfo &row : elem_table) {
    bool order_matters = row.bits > 8;
    if (descr.size() == 3 && descr.substr(1) == row.npy.substr(1) &&
        (!order_matters || descr[0] == '<' || descr[0] == '='))
      return row.elem;
  }
  return std::nullopt;
}

std::string known_types() {
  std::vector<std::string> all;
  for (const ElemInfo &row : elem_table)
    all.push_back(fmt::format("{} {}", row.name, row.npy));
  return fmt::format("{}", fmt::join(all, ", "));
}

// What a header says, fit to be printed.
std::string printable(const std::string &descr) {
  bool plain = descr.size() <= 24 &&
               std::all_of(descr.begin(), descr.end(), [](char c) { return c >= ' ' && c <= '~'; });
  return plain && !descr.empty() ? descr : "an unknown type";
}

// Why a type is refused.
std::string refusal(const std::string &descr, std::optional<Elem> expected) {
  std::string wanted = expected ? fmt::format("{} ({}) is needed", name(*expected), info(*expected).npy)
                                : "one of " + known_types() + " is needed";
  if (elem_of("<" + descr.substr(std::min<std::size_t>(1, descr.size()))) && descr[0] == '>')
    return fmt::format("has big-endian elements ({}), but {}", descr, wanted);
  if (auto found = elem_of(descr))
    return fmt::format("has element type {} ({}), but {}", name(*found), descr, wanted);
  return fmt::format("has element type {}, but {}", printable(descr), wanted);
}

// The number of bytes of the data, if it fits.
std::optional<std::int64_t> byte_count(Elem elem, const std::vector<std::int64_t> &shape) {
  std::int64_t bytes = static_cast<std::int64_t>(byte_size(elem));
  for (std::int64_t extent : shape)
    if (extent == 0)
      return 0;
  for (std::int64_t extent : shape)
    if (__builtin_mul_overflow(bytes, extent, &bytes))
      return std::nullopt;
  return bytes;
}

Tensor fill(Elem elem, std::vector<std::int64_t> shape, std::string_view data) {
  Tensor tensor = make_tensor(elem, std::move(shape));
  if (!data.empty())
    std::memcpy(tensor.bytes.data(), data.data(), data.size());
  if (elem == Elem::boolean)
    for (std::byte &b : tensor.bytes)
      b = b == std::byte{0} ? b : std::byte{1};
  return tensor;
}

} // namespace

Result<Tensor> parse_npy(std::string_view content, const std::string &file, std::optional<Elem> expected) {
  auto refuse = [&](const std::string &why) {
    return Diagnostic{Code::bad_npy, std::nullopt, file + " " + why, {}};
  };
  if (!content.starts_with(magic))
    return refuse("is not a .npy file");
  auto parts = split(content);
  if (!parts)
    return refuse("ends inside its header, or has an unknown version of the .npy format");
  auto header = HeaderReader(parts->header).read();
  if (!header)
    return refuse("has a header that cannot be understood");
  auto elem = elem_of(*header->descr);
  if (!elem || (expected && elem != expected))
    return refuse(refusal(*header->descr, expected));
  const std::vector<std::int64_t> &shape = *header->shape;
  if (*header->fortran_order && shape.size() > 1)
    return refuse("is in Fortran order, but C order is needed: save it after numpy.ascontiguousarray");
  auto bytes = byte_count(*elem, shape);
  if (!bytes)
    return refuse(fmt::format("claims the shape ({}), which no memory can hold", fmt::join(shape, ", ")));
  if (static_cast<std::uint64_t>(*bytes) != parts->data.size())
    return refuse(fmt::format("has {} bytes of data, but its shape ({}) needs {}", parts->data.size(),
                              fmt::join(shape, ", "), *bytes));
  return fill(*elem, shape, parts->data);
}

Result<Tensor> read_npy(const std::filesystem::path &path, std::optional<Elem> expected) {
  Result<std::string> content = read_file(path, most_of_a_tensor);
  if (!content)
    return content.errors();
  return parse_npy(*content, path.string(), expected);
}

std::string to_npy(const Tensor &tensor) {
  std::string shape =
      fmt::format("{}", fmt::join(tensor.shape, ", ")) + (tensor.shape.size() == 1 ? "," : "");
  std::string header =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", info(tensor.elem).npy, shape);
  bool long_header = header.size() > 65000;
  std::size_t prefix = long_header ? 12 : 10;
  header.append(63 - (prefix + header.size()) % 64, ' '); // the data begins at a multiple of 64
  header += '\n';
  std::string out(magic);
  out += {static_cast<char>(long_header ? 2 : 1), '\0'};
  for (std::size_t i = 0; i < prefix - 8; ++i)
    out += static_cast<char>(header.size() >> (8 * i) & 0xff);
  out += header;
  out.append(reinterpret_cast<const char *>(tensor.bytes.data()), tensor.bytes.size());
  return out;
}

std::optional<Diagnostic> write_npy(const std::filesystem::path &path, const Tensor &tensor) {
  return write_file(path, to_npy(tensor));
}

} // namespace atl::driver
