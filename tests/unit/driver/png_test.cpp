// PNG pictures: what libpng itself writes in every format reads as the right numbers, ours reads back, and
// damage is refused.
#include "driver/io/png_io.h"
#include "tests/unit/typed_trees.h"

#include <csetjmp>
#include <doctest/doctest.h>
#include <limits>
#include <png.h>

namespace atl::png_test {

using namespace atl::driver;
using namespace atl::trees;

namespace {

using Doubles = std::vector<double>;
using Bytes = std::vector<unsigned char>;
constexpr double inf = std::numeric_limits<double>::infinity();

void collect(png_structp png, png_bytep bytes, std::size_t count) {
  static_cast<std::string *>(png_get_io_ptr(png))->append(reinterpret_cast<const char *>(bytes), count);
}

// A picture as libpng writes it, with rows packed as the format says. palette: RGB triples.
std::string libpng(int width, int height, int depth, int colour, Bytes rows, bool interlaced = false,
                   Bytes palette = {}, Bytes alpha = {}) {
  std::string out;
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(png);
  png_set_write_fn(png, &out, collect, nullptr);
  png_set_IHDR(png, info, static_cast<png_uint_32>(width), static_cast<png_uint_32>(height), depth, colour,
               interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
               PNG_FILTER_TYPE_DEFAULT);
  std::vector<png_color> colours;
  for (std::size_t i = 0; i + 2 < palette.size(); i += 3)
    colours.push_back({palette[i], palette[i + 1], palette[i + 2]});
  if (!colours.empty())
    png_set_PLTE(png, info, colours.data(), static_cast<int>(colours.size()));
  if (!alpha.empty())
    png_set_tRNS(png, info, alpha.data(), static_cast<int>(alpha.size()), nullptr);
  png_write_info(png, info);
  std::vector<png_bytep> starts;
  for (int y = 0; y < height; ++y)
    starts.push_back(rows.data() +
                     static_cast<std::size_t>(y) * (rows.size() / static_cast<std::size_t>(height)));
  png_set_interlace_handling(png);
  png_write_image(png, starts.data());
  png_write_end(png, info);
  png_destroy_write_struct(&png, &info);
  return out;
}

// CRC-32 of a chunk's name and data, as its four last bytes.
std::string checksum(const std::string &chunk) {
  std::uint32_t crc = 0xffffffff;
  for (char c : chunk) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit)
      crc = crc & 1 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
  }
  std::string bytes;
  for (int shift : {24, 16, 8, 0})
    bytes += static_cast<char>(~crc >> shift & 0xff);
  return bytes;
}

Tensor parsed(const std::string &content, std::optional<Elem> elem = {},
              std::optional<std::size_t> rank = {}) {
  Result<Tensor> tensor = parse_png(content, "a.png", elem, rank);
  REQUIRE(tensor);
  return *tensor;
}
std::string refused(const std::string &content, std::optional<Elem> elem = {},
                    std::optional<std::size_t> rank = {}) {
  Result<Tensor> tensor = parse_png(content, "a.png", elem, rank);
  REQUIRE_FALSE(tensor);
  CHECK(tensor.errors().at(0).code == Code::bad_png);
  return tensor.errors()[0].message;
}
bool contains(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}
std::string encoded(const Tensor &tensor) {
  Result<std::string> content = to_png(tensor, "out.png");
  REQUIRE(content);
  return *content;
}

} // namespace

TEST_CASE("gray of 8, 16 and fewer bits") {
  Tensor gray = parsed(libpng(3, 2, 8, PNG_COLOR_TYPE_GRAY, {0, 1, 2, 253, 254, 255}));
  CHECK(gray.elem == Elem::u8);
  CHECK(gray.shape == std::vector<std::int64_t>{2, 3});
  CHECK(elements(gray) == Doubles{0, 1, 2, 253, 254, 255});
  Tensor deep = parsed(libpng(2, 1, 16, PNG_COLOR_TYPE_GRAY, {0x01, 0x02, 0xff, 0xff}));
  CHECK(deep.elem == Elem::u16);
  CHECK(elements(deep) == Doubles{0x0102, 65535});
  CHECK(elements(parsed(libpng(8, 1, 1, PNG_COLOR_TYPE_GRAY, {0b10100000}))) ==
        Doubles{255, 0, 255, 0, 0, 0, 0, 0});
  CHECK(elements(parsed(libpng(2, 1, 4, PNG_COLOR_TYPE_GRAY, {0x1f}))) == Doubles{17, 255});
}

TEST_CASE("colour, alpha, palettes, interlacing") {
  Tensor rgb = parsed(libpng(2, 1, 8, PNG_COLOR_TYPE_RGB, {1, 2, 3, 4, 5, 6}));
  CHECK(rgb.shape == std::vector<std::int64_t>{1, 2, 3});
  CHECK(elements(rgb) == Doubles{1, 2, 3, 4, 5, 6});
  CHECK(parsed(libpng(1, 1, 8, PNG_COLOR_TYPE_RGB_ALPHA, {1, 2, 3, 4})).shape ==
        std::vector<std::int64_t>{1, 1, 4});
  CHECK(elements(parsed(libpng(1, 1, 8, PNG_COLOR_TYPE_GRAY_ALPHA, {9, 8}))) == Doubles{9, 8});
  Bytes palette{10, 20, 30, 40, 50, 60};
  CHECK(elements(parsed(libpng(2, 1, 8, PNG_COLOR_TYPE_PALETTE, {1, 0}, false, palette))) ==
        Doubles{40, 50, 60, 10, 20, 30});
  CHECK(elements(parsed(libpng(2, 1, 1, PNG_COLOR_TYPE_PALETTE, {0x40}, false, palette, {7}))) ==
        Doubles{10, 20, 30, 7, 40, 50, 60, 255});
  Bytes square;
  for (unsigned char i = 0; i < 81; ++i)
    square.push_back(i);
  CHECK(same_bits(parsed(libpng(9, 9, 8, PNG_COLOR_TYPE_GRAY, square, true)),
                  parsed(libpng(9, 9, 8, PNG_COLOR_TYPE_GRAY, square))));
}

TEST_CASE("the rank that is asked for") {
  std::string gray = libpng(2, 1, 8, PNG_COLOR_TYPE_GRAY, {7, 8});
  CHECK(parsed(gray, {}, 3).shape == std::vector<std::int64_t>{1, 2, 1});
  std::string rgb = libpng(3, 1, 8, PNG_COLOR_TYPE_RGB, {255, 255, 255, 255, 0, 0, 10, 20, 30});
  CHECK(elements(parsed(rgb, {}, 2)) == Doubles{255, 54, 19});
  CHECK(parsed(rgb, {}, 2).shape == std::vector<std::int64_t>{1, 3});
  CHECK(elements(parsed(libpng(1, 1, 8, PNG_COLOR_TYPE_RGB_ALPHA, {0, 255, 0, 9}), {}, 2)) == Doubles{182});
  CHECK(elements(parsed(libpng(1, 1, 8, PNG_COLOR_TYPE_GRAY_ALPHA, {77, 9}), {}, 2)) == Doubles{77});
  CHECK(refused(gray, {}, 1) == "a.png is a picture, a tensor of 2 or 3 dimensions, but 1 is needed");
  CHECK(contains(refused(gray, {}, 4), "but 4 are needed"));
}

TEST_CASE("the element type that is asked for") {
  std::string gray = libpng(2, 1, 8, PNG_COLOR_TYPE_GRAY, {0, 200});
  std::string deep = libpng(2, 1, 16, PNG_COLOR_TYPE_GRAY, {0, 0, 0xff, 0xfe});
  for (Elem elem : {Elem::f32, Elem::f64, Elem::i32, Elem::u32, Elem::i64, Elem::u16}) {
    CHECK(parsed(gray, elem).elem == elem);
    CHECK(elements(parsed(gray, elem)) == Doubles{0, 200});
    CHECK(elements(parsed(deep, elem)) == Doubles{0, 65534});
  }
  CHECK(elements(parsed(gray, Elem::i16)) == Doubles{0, 200});
  CHECK(elements(parsed(gray, Elem::boolean)) == Doubles{0, 1});
  CHECK(refused(gray, Elem::i8) == "a.png has 8 bits per channel, more than i8 holds");
  CHECK(refused(deep, Elem::u8) == "a.png has 16 bits per channel, more than u8 holds");
  CHECK(refused(deep, Elem::i16) == "a.png has 16 bits per channel, more than i16 holds");
}

TEST_CASE("written pictures read back") {
  for (Elem elem : {Elem::u8, Elem::u16})
    for (const std::vector<std::int64_t> &shape :
         std::vector<std::vector<std::int64_t>>{{4, 5}, {4, 5, 1}, {4, 5, 2}, {3, 2, 3}, {1, 1, 4}}) {
      Tensor tensor = make_tensor(elem, shape);
      for (std::int64_t i = 0; i < tensor.element_count(); ++i)
        tensor.set(i, make_integer(elem, i * 1237 + 1));
      CHECK(same_bits(parsed(encoded(tensor), {}, shape.size()), tensor));
    }
  Doubles values{-inf,  -1,  -0.4,  0.5,  1.5, 99.6,
                 254.7, 255, 255.2, 1e30, inf, std::numeric_limits<double>::quiet_NaN()};
  CHECK(elements(parsed(encoded(floats({3, 4}, values)))) ==
        Doubles{0, 0, 0, 0, 2, 100, 255, 255, 255, 255, 255, 0});
  CHECK(elements(parsed(encoded(tensor_of<int>(Elem::boolean, {1, 2}, {0, 1})))) == Doubles{0, 255});
}

TEST_CASE("tensors that are no pictures") {
  auto objection = [](const Tensor &tensor) {
    Result<std::string> content = to_png(tensor, "out.png");
    REQUIRE_FALSE(content);
    CHECK(content.errors().at(0).code == Code::bad_png);
    return content.errors()[0].message;
  };
  CHECK(contains(objection(make_tensor(Elem::i32, {2, 2})), "the tensor's type is i32"));
  CHECK(contains(objection(make_tensor(Elem::u8, {2})), "the tensor's is [2]"));
  CHECK(contains(objection(make_tensor(Elem::u8, {2, 2, 5})), "the tensor's is [2, 2, 5]"));
  CHECK(contains(objection(make_tensor(Elem::u8, {2, 2, 0})), "the tensor's is [2, 2, 0]"));
  CHECK(contains(objection(make_tensor(Elem::u8, {0, 2})), "cannot be empty"));
  CHECK(contains(objection(make_tensor(Elem::u8, {1, 1000001})), "more than 1000000"));
}

TEST_CASE("damaged files") {
  CHECK(refused("") == "a.png is not a PNG file");
  CHECK(refused("\x89PNG") == "a.png is not a PNG file");
  CHECK(refused("GIF89a, or so it says") == "a.png is not a PNG file");
  Bytes noise;
  for (unsigned i = 0; i < 3000; ++i)
    noise.push_back(static_cast<unsigned char>(i * i * 2654435761u >> 13));
  std::string good = libpng(50, 20, 8, PNG_COLOR_TYPE_RGB, noise, true);
  for (std::size_t length = 0; length < good.size(); length += length < 100 ? 1 : 37)
    (void)refused(good.substr(0, length));
  int refusals = 0;
  for (std::size_t i = 8; i < good.size(); i += i < 100 ? 1 : 29) {
    std::string damaged = good;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x55);
    refusals += parse_png(damaged, "a.png", {}, {}) ? 0 : 1;
  }
  CHECK(refusals > 50);
  // A small file that claims to be 60000 pixels square, its checksum right.
  std::string bomb = libpng(1, 1, 8, PNG_COLOR_TYPE_RGB, {1, 2, 3});
  for (std::size_t place : {16u, 20u})
    bomb.replace(place, 4, std::string("\x00\x00\xea\x60", 4));
  bomb.replace(29, 4, checksum(bomb.substr(12, 17)));
  CHECK(contains(refused(bomb), "too short for 60000 x 60000 pixels"));
}

} // namespace atl::png_test
