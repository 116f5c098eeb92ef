// libpng reports errors by longjmp. Each step that can fail is a function of its own (the *_step functions)
// with no local that has a destructor: everything that lives longer belongs to the caller.
#include "driver/io/png_io.h"

#include "driver/io/files.h"

#include <algorithm>
#include <cmath>
#include <csetjmp>
#include <cstring>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <new>
#include <png.h>

namespace atl::driver {

namespace {

struct Failure {
  char text[128] = "";
};

[[noreturn]] void on_error(png_structp png, png_const_charp message) {
  auto *failure = static_cast<Failure *>(png_get_error_ptr(png));
  std::strncpy(failure->text, message, sizeof failure->text - 1);
  png_longjmp(png, 1);
}

void on_warning(png_structp, png_const_charp) {}

// ---- reading ----

struct Decoder {
  std::string_view rest; // of the file
  Failure failure;
  png_structp png = nullptr;
  png_infop info = nullptr;
  png_uint_32 width = 0, height = 0;
  std::size_t packed_row = 0;       // bytes of a row in the file, once it is decompressed
  png_byte channels = 0, depth = 0; // after the transformations: 1 to 4, 8 or 16
  decltype(Tensor::bytes) pixels;
  std::vector<png_bytep> rows;

  explicit Decoder(std::string_view content) : rest(content) {
    png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &failure, on_error, on_warning);
    info = png ? png_create_info_struct(png) : nullptr;
    if (info)
      return;
    png_destroy_read_struct(&png, nullptr, nullptr);
    throw std::bad_alloc();
  }
  ~Decoder() { png_destroy_read_struct(&png, &info, nullptr); }
  Decoder(const Decoder &) = delete;
  Decoder &operator=(const Decoder &) = delete;
};

void take_bytes(png_structp png, png_bytep to, std::size_t count) {
  auto *decoder = static_cast<Decoder *>(png_get_io_ptr(png));
  if (count > decoder->rest.size())
    png_error(png, "the file ends too early");
  std::memcpy(to, decoder->rest.data(), count);
  decoder->rest.remove_prefix(count);
}

bool header_step(Decoder &d) {
  if (setjmp(png_jmpbuf(d.png)) != 0)
    return false;
  png_set_read_fn(d.png, &d, take_bytes);
  png_read_info(d.png, d.info);
  d.packed_row = png_get_rowbytes(d.png, d.info);
  png_set_expand(d.png); // palettes to RGB, 1, 2 and 4 bits to 8, transparency to alpha
  png_set_swap(d.png);   // 16 bits: little endian
  png_set_interlace_handling(d.png);
  png_read_update_info(d.png, d.info);
  d.width = png_get_image_width(d.png, d.info);
  d.height = png_get_image_height(d.png, d.info);
  d.channels = png_get_channels(d.png, d.info);
  d.depth = png_get_bit_depth(d.png, d.info);
  return true;
}

bool pixels_step(Decoder &d) {
  if (setjmp(png_jmpbuf(d.png)) != 0)
    return false;
  png_read_image(d.png, d.rows.data());
  png_read_end(d.png, nullptr);
  return true;
}

// Decompression makes data less than 1100 times larger: a header that claims more pixels than that lies, and
// no memory is asked for on its word.
bool is_plausible(const Decoder &d, std::size_t file_size) {
  return std::size_t{d.height} * d.packed_row / 1100 <= file_size;
}

// A small file may hold very many equal pixels.
constexpr std::size_t most_bytes = std::size_t{1} << 30;

bool is_too_large(const Decoder &d) {
  return std::size_t{d.height} * png_get_rowbytes(d.png, d.info) > most_bytes;
}

void make_room(Decoder &d) {
  std::size_t row_bytes = png_get_rowbytes(d.png, d.info);
  d.pixels.resize(row_bytes * d.height);
  for (std::size_t y = 0; y < d.height; ++y)
    d.rows.push_back(reinterpret_cast<png_bytep>(d.pixels.data() + y * row_bytes));
}

// As [H, W, C] of u8 or u16.
Tensor to_tensor(Decoder &d) {
  Elem elem = d.depth == 16 ? Elem::u16 : Elem::u8;
  return {elem, {d.height, d.width, d.channels}, std::move(d.pixels)};
}

Tensor to_luma(const Tensor &image) {
  std::int64_t channels = image.shape[2];
  Tensor gray = make_tensor(image.elem, {image.shape[0], image.shape[1]});
  for (std::int64_t i = 0; i < gray.element_count(); ++i) {
    auto channel = [&](std::int64_t c) { return image.get(i * channels + c).integer; };
    std::int64_t value = channels < 3
                             ? channel(0)
                             : (6968 * channel(0) + 23434 * channel(1) + 2366 * channel(2) + 16384) / 32768;
    gray.set(i, {image.elem, 0, value});
  }
  return gray;
}

Tensor converted(const Tensor &image, Elem elem) {
  if (image.elem == elem)
    return image;
  Tensor out = make_tensor(elem, image.shape);
  for (std::int64_t i = 0; i < out.element_count(); ++i)
    out.set(i, convert(image.get(i), elem, ConvertMode::wrap));
  return out;
}

bool can_hold(Elem elem, Elem pixels) {
  return is_float(elem) || elem == Elem::boolean || greatest_integer(elem) >= greatest_integer(pixels);
}

} // namespace

static Diagnostic bad_png(const std::string &name, const std::string &why) {
  return {Code::bad_png, std::nullopt, name + " " + why, {}};
}

Result<Tensor> parse_png(std::string_view content, const std::string &name, std::optional<Elem> elem,
                         std::optional<std::size_t> rank) {
  if (rank && *rank != 2 && *rank != 3)
    return bad_png(name, fmt::format("is a picture, a tensor of 2 or 3 dimensions, but {} {} needed", *rank,
                                     *rank == 1 ? "is" : "are"));
  if (content.size() < 8 || png_sig_cmp(reinterpret_cast<png_const_bytep>(content.data()), 0, 8) != 0)
    return bad_png(name, "is not a PNG file");
  Decoder decoder(content);
  if (!header_step(decoder))
    return bad_png(name, fmt::format("is a damaged PNG file: {}", decoder.failure.text));
  if (!is_plausible(decoder, content.size()))
    return bad_png(name, fmt::format("is a damaged PNG file: too short for {} x {} pixels", decoder.width,
                                     decoder.height));
  if (is_too_large(decoder))
    return bad_png(name, fmt::format("is too large: {} x {} pixels have more than {} bytes", decoder.width,
                                     decoder.height, most_bytes));
  make_room(decoder);
  if (!pixels_step(decoder))
    return bad_png(name, fmt::format("is a damaged PNG file: {}", decoder.failure.text));
  Tensor image = to_tensor(decoder);
  if (elem && !can_hold(*elem, image.elem))
    return bad_png(name, fmt::format("has {} bits per channel, more than {} holds", info(image.elem).bits,
                                     atl::name(*elem)));
  if (rank == 2u)
    image = to_luma(image);
  else if (!rank && image.shape[2] == 1)
    image.shape.pop_back();
  return converted(image, elem.value_or(image.elem));
}

Result<Tensor> read_png(const std::filesystem::path &path, std::optional<Elem> elem,
                        std::optional<std::size_t> rank) {
  Result<std::string> content = read_file(path, most_of_a_tensor);
  if (!content)
    return content.errors();
  return parse_png(*content, path.string(), elem, rank);
}

namespace {

// ---- writing ----

struct Encoder {
  std::string out;
  Failure failure;
  png_structp png = nullptr;
  png_infop info = nullptr;
  std::vector<png_bytep> rows;

  Encoder() {
    png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &failure, on_error, on_warning);
    info = png ? png_create_info_struct(png) : nullptr;
    if (info)
      return;
    png_destroy_write_struct(&png, nullptr);
    throw std::bad_alloc();
  }
  ~Encoder() { png_destroy_write_struct(&png, &info); }
  Encoder(const Encoder &) = delete;
  Encoder &operator=(const Encoder &) = delete;
};

bool append(std::string &out, png_const_bytep bytes, std::size_t count) {
  try {
    out.append(reinterpret_cast<const char *>(bytes), count);
  } catch (const std::bad_alloc &) {
    return false; // exceptions must not pass through libpng
  }
  return true;
}

void put_bytes(png_structp png, png_bytep bytes, std::size_t count) {
  if (!append(static_cast<Encoder *>(png_get_io_ptr(png))->out, bytes, count))
    png_error(png, "out of memory");
}

void no_flush(png_structp) {}

struct PictureFormat {
  png_uint_32 width, height;
  int depth, colour;
};

bool write_step(Encoder &e, const PictureFormat &format) {
  if (setjmp(png_jmpbuf(e.png)) != 0)
    return false;
  png_set_write_fn(e.png, &e, put_bytes, no_flush);
  png_set_IHDR(e.png, e.info, format.width, format.height, format.depth, format.colour, PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_write_info(e.png, e.info);
  png_set_swap(e.png); // 16 bits: ours are little endian
  png_write_image(e.png, e.rows.data());
  png_write_end(e.png, nullptr);
  return true;
}

std::int64_t pixel(const Scalar &value) {
  if (value.elem == Elem::boolean)
    return value.integer * 255;
  return std::isnan(value.real)
             ? 0
             : static_cast<std::int64_t>(std::nearbyint(std::clamp(value.real, 0.0, 255.0)));
}

Tensor to_pixels(const Tensor &tensor) {
  if (tensor.elem == Elem::u8 || tensor.elem == Elem::u16)
    return tensor;
  Tensor pixels = make_tensor(Elem::u8, tensor.shape);
  for (std::int64_t i = 0; i < tensor.element_count(); ++i)
    pixels.set(i, {Elem::u8, 0, pixel(tensor.get(i))});
  return pixels;
}

// Why a tensor is no picture; empty if it is one.
std::string objection(const Tensor &tensor) {
  bool typed = is_float(tensor.elem) || tensor.elem == Elem::u8 || tensor.elem == Elem::u16 ||
               tensor.elem == Elem::boolean;
  if (!typed)
    return fmt::format("PNG holds u8, u16, f32, f64 or bool, but the tensor's type is {}",
                       atl::name(tensor.elem));
  const auto &shape = tensor.shape;
  bool shaped = shape.size() == 2 || (shape.size() == 3 && shape[2] >= 1 && shape[2] <= 4);
  if (!shaped)
    return fmt::format("PNG needs the shape [H, W] or [H, W, 1 to 4], but the tensor's is [{}]",
                       fmt::join(shape, ", "));
  if (shape[0] == 0 || shape[1] == 0)
    return "a PNG cannot be empty";
  return shape[0] > 1'000'000 || shape[1] > 1'000'000 ? "more than 1000000 pixels in a row or column" : "";
}

PictureFormat format_of(const Tensor &pixels) {
  constexpr int colours[] = {PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB,
                             PNG_COLOR_TYPE_RGB_ALPHA};
  std::int64_t channels = pixels.shape.size() == 3 ? pixels.shape[2] : 1;
  return {static_cast<png_uint_32>(pixels.shape[1]), static_cast<png_uint_32>(pixels.shape[0]),
          info(pixels.elem).bits, colours[channels - 1]};
}

} // namespace

Result<std::string> to_png(const Tensor &tensor, const std::string &name) {
  if (std::string why = objection(tensor); !why.empty())
    return Diagnostic{Code::bad_png, std::nullopt, fmt::format("cannot write {}: {}", name, why), {}};
  Tensor pixels = to_pixels(tensor);
  Encoder encoder;
  std::size_t row_bytes = pixels.bytes.size() / static_cast<std::size_t>(pixels.shape[0]);
  for (std::size_t y = 0; y < static_cast<std::size_t>(pixels.shape[0]); ++y)
    encoder.rows.push_back(reinterpret_cast<png_bytep>(pixels.bytes.data() + y * row_bytes));
  if (!write_step(encoder, format_of(pixels)))
    return Diagnostic{
        Code::cannot_write, std::nullopt, fmt::format("cannot write {}: {}", name, encoder.failure.text), {}};
  return std::move(encoder.out);
}

std::optional<Diagnostic> write_png(const std::filesystem::path &path, const Tensor &tensor) {
  Result<std::string> content = to_png(tensor, path.string());
  return content ? write_file(path, *content) : content.errors().front();
}

} // namespace atl::driver
