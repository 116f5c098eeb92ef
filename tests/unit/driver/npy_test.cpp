// .npy files: what is written reads back, and what NumPy might have written otherwise is refused by name.
#include "driver/io/files.h"
#include "driver/io/npy.h"
#include "tests/unit/typed_trees.h"

#include <doctest/doctest.h>
#include <filesystem>
#include <limits>
#include <unistd.h>

namespace atl::npy_test {

using namespace atl::driver;
using namespace atl::trees;
namespace fs = std::filesystem;

namespace {

// A file of version 1 (2 or 3: wider length) with any header.
std::string npy(const std::string &header, const std::string &data, int version = 1) {
  std::string out = "\x93NUMPY";
  out += static_cast<char>(version);
  out += '\0';
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i)
    out += static_cast<char>(header.size() >> (8 * i) & 0xff);
  return out + header + data;
}
std::string header(const std::string &descr, const std::string &shape, const std::string &fortran = "False") {
  return "{'descr': '" + descr + "', 'fortran_order': " + fortran + ", 'shape': " + shape + ", }\n";
}

Tensor parsed(const std::string &content, std::optional<Elem> expected = std::nullopt) {
  Result<Tensor> tensor = parse_npy(content, "A.npy", expected);
  REQUIRE(tensor);
  return *tensor;
}
std::string refused(const std::string &content, std::optional<Elem> expected = std::nullopt) {
  Result<Tensor> tensor = parse_npy(content, "A.npy", expected);
  REQUIRE_FALSE(tensor);
  REQUIRE(tensor.errors().size() == 1);
  CHECK(tensor.errors()[0].code == Code::bad_npy);
  return tensor.errors()[0].message;
}
bool contains(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

struct TemporaryFolder {
  fs::path path = fs::temp_directory_path() / ("atlc_npy_test_" + std::to_string(::getpid()));
  TemporaryFolder() { fs::create_directories(path); }
  ~TemporaryFolder() { fs::remove_all(path); }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(path), {}));
  }
};

} // namespace

TEST_CASE("every type and rank reads back as it was written") {
  for (const ElemInfo &row : elem_table)
    for (const std::vector<std::int64_t> &shape :
         std::vector<std::vector<std::int64_t>>{{}, {0}, {5}, {2, 3}, {2, 0, 3}, {1, 2, 1, 3}}) {
      CAPTURE(row.name);
      Tensor tensor = make_tensor(row.elem, shape);
      for (std::int64_t i = 0; i < tensor.element_count(); ++i)
        tensor.set(i, is_float(row.elem) ? make_real(row.elem, static_cast<double>(i) - 1.5)
                                         : make_integer(row.elem, i % 2 ? least_integer(row.elem) : i));
      std::string content = to_npy(tensor);
      CHECK((content.size() - tensor.bytes.size()) % 64 == 0);
      CHECK(same_bits(parsed(content), tensor));
      CHECK(same_bits(parsed(content, row.elem), tensor));
    }
  Tensor many = make_tensor(Elem::u8, std::vector<std::int64_t>(30000, 1)); // a header of version 2
  CHECK(to_npy(many)[6] == 2);
  CHECK(same_bits(parsed(to_npy(many)), many));
}

TEST_CASE("exactly the bytes that NumPy writes") {
  std::string content = to_npy(tensor_of<int>(Elem::i16, {2}, {1, -2}));
  std::string expected = npy("{'descr': '<i2', 'fortran_order': False, 'shape': (2,), }", "");
  expected[8] = 118;
  expected += std::string(118 - 57, ' ');
  expected.back() = '\n';
  CHECK(content == expected + std::string("\x01\x00\xfe\xff", 4));
}

TEST_CASE("headers as others write them") {
  const std::string data("\x01\x02\x03\x04\x05\x06", 6);
  CHECK(parsed(npy("{'shape': (2, 3), 'fortran_order': False, 'descr': '|u1'}", data)).shape ==
        std::vector<std::int64_t>{2, 3});
  CHECK(
      parsed(npy("{\"descr\":\"<u1\",\"fortran_order\":False,\"shape\":(6L,)}   \n", data)).element_count() ==
      6);
  CHECK(parsed(npy(header("|u1", "(2, 3,)"), data, 2)).shape.size() == 2);
  CHECK(parsed(npy(header("|u1", "(2,3)"), data, 3)).shape.size() == 2);
  CHECK(parsed(npy(header(">u1", "(6,)"), data)).elem == Elem::u8); // one byte has no order
  CHECK(parsed(npy(header("|u1", "(6,)", "True"), data)).element_count() == 6);
  CHECK(parsed(npy(header("|u1", "()"), "x")).shape.empty());
  CHECK(elements(parsed(npy(header("|b1", "(3,)"), std::string("\x00\x01\x02", 3)))) ==
        std::vector<double>{0, 1, 1});
}

TEST_CASE("what is refused, and why") {
  const std::string data(24, '\0');
  CHECK(refused(npy(header("<f8", "(3,)"), data), Elem::f32) ==
        "A.npy has element type f64 (<f8), but f32 (<f4) is needed");
  CHECK(refused(npy(header(">f4", "(6,)"), data), Elem::f32) ==
        "A.npy has big-endian elements (>f4), but f32 (<f4) is needed");
  CHECK(contains(refused(npy(header("<u8", "(3,)"), data), Elem::i64),
                 "has element type <u8, but i64 (<i8) is needed"));
  CHECK(contains(refused(npy(header("|O", "(3,)"), data)), "has element type |O, but one of"));
  CHECK(contains(refused(npy(header("<c8", "(3,)"), data)), "<c8"));
  CHECK(contains(refused(npy(header("<f2", "(12,)"), data)), "<f2"));
  CHECK(contains(refused(npy(header("\x1b[31m", "(12,)"), data)), "an unknown type"));
  CHECK(contains(
      refused(npy("{'descr': [('a', '<f4', (2,)), ('b', '<f4')], 'fortran_order': False, 'shape': (2,), }",
                  data)),
      "a structured type"));
  CHECK(contains(refused(npy(header("<f4", "(2, 3)", "True"), data)), "Fortran order"));
  CHECK(refused(npy(header("<f4", "(2, 3)"), data.substr(1))) ==
        "A.npy has 23 bytes of data, but its shape (2, 3) needs 24");
  CHECK(refused(npy(header("<f4", "(2, 3)"), data + "x")) ==
        "A.npy has 25 bytes of data, but its shape (2, 3) needs 24");
  CHECK(contains(refused(npy(header("<f4", "(0, 3)"), data)), "needs 0"));
  CHECK(contains(refused(npy(header("<f4", "(4611686018427387904, 4)"), data)), "no memory can hold"));
  CHECK(contains(refused(npy(header("<f4", "(4611686018427387904, 4, 0)"), data)), "needs 0"));
}

TEST_CASE("garbage") {
  CHECK(refused("") == "A.npy is not a .npy file");
  CHECK(contains(refused("PK\x03\x04"), "not a .npy file"));
  CHECK(contains(refused("\x93NUMPY"), "ends inside its header"));
  CHECK(contains(refused(npy("", "", 9)), "unknown version"));
  CHECK(contains(refused(std::string("\x93NUMPY\x02\x00\xff\xff\xff\xff{}", 14)), "ends inside its header"));
  const std::string good = header("|u1", "(1,)");
  for (std::size_t length = 0; length < good.size() - 1; ++length)
    (void)refused(npy(good.substr(0, length), ""));
  for (const char *bad : {"{}", "{'descr': '|u1'}", "(1, 2)",
                          "{'descr': '|u1', 'descr': '|u1', 'fortran_order': False, 'shape': ()}",
                          "{'descr': '|u1', 'fortran_order': Fals, 'shape': ()}",
                          "{'descr': '|u1', 'fortran_order': False, 'shape': (-1,)}",
                          "{'descr': '|u1', 'fortran_order': False, 'shape': (99999999999999999999,)}",
                          "{'descr': '|u1', 'fortran_order': False, 'shape': (1 2)}",
                          "{'descr': '|u1', 'fortran_order': False, 'shape': [1]}",
                          "{'descr': '|u1', 'fortran_order': False, 'shape': (1,)} x",
                          "{'descr': '|u1', 'more': 1, 'fortran_order': False, 'shape': (1,)}",
                          "{'descr': [('a', '<f4', 'fortran_order': False, 'shape': (1,)"})
    CHECK(contains(refused(npy(bad, "x")), "header that cannot be understood"));
}

TEST_CASE("files: read, written whole or not at all") {
  TemporaryFolder folder;
  Tensor tensor = floats({2, 2}, {1, 2, 3, 4});
  CHECK_FALSE(write_npy(folder.path / "A.npy", tensor));
  CHECK(same_bits(*read_npy(folder.path / "A.npy", Elem::f32), tensor));
  CHECK(folder.files() == 1);
  CHECK(read_npy(folder.path / "none.npy").errors().at(0).code == Code::cannot_read);
  CHECK(read_npy(folder.path).errors().at(0).code == Code::cannot_read);
  CHECK(write_npy(folder.path, tensor)->code == Code::cannot_write);
  CHECK(write_npy(folder.path / "none" / "A.npy", tensor)->code == Code::cannot_write);
  if (fs::exists("/dev/full"))
    CHECK(write_npy("/dev/full", tensor)->code == Code::cannot_write);
  CHECK(folder.files() == 1);
}

} // namespace atl::npy_test
