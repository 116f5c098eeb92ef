// Names from outside in messages: escaped, and shortened.
#include "atl/base/diagnostic.h"
#include "atl/base/printable.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

namespace atl::printable_test {

TEST_CASE("printable: what a terminal would obey is escaped, everything else stays") {
  CHECK(printable("a b\tc\nd, \u00fc \u65e5 \U0001F600") == "a b\tc\nd, \u00fc \u65e5 \U0001F600");
  CHECK(printable("\x1b[31mred") == "\\x1b[31mred");
  CHECK(printable(std::string_view("a\0b\r\x7f", 5)) == "a\\x00b\\x0d\\x7f");
  CHECK(printable("a\xc2\x9b"
                  "31m") == "a\\xc2\\x9b31m");                                // CSI in one character
  CHECK(printable("a\u202eb\u2066c") == "a\\xe2\\x80\\xaeb\\xe2\\x81\\xa6c"); // text from right to left
}

TEST_CASE("printable: names are on one line") {
  CHECK(printable_name("a\nb\tc\x1b \u00fc") == "a\\x0ab\\x09c\\x1b \u00fc");
  Sources sources;
  CHECK(sources.where({sources.add({"a\nb", "x"}), 0, 1}) == "a\\x0ab:1:1");
}

TEST_CASE("printable: bytes that are no UTF-8 are escaped") {
  for (const char *bytes : {"\xff", "\xc3", "\x80", "\xc0\xaf", "\xe0\x80\xaf", "\xed\xa0\x80",
                            "\xf4\x90\x80\x80", "\xf5\x80\x80\x80"}) {
    std::string escaped;
    for (const char *c = bytes; *c; ++c)
      escaped += fmt::format("\\x{:02x}", static_cast<unsigned char>(*c));
    CHECK(printable(std::string("a") + bytes + "b") == "a" + escaped + "b");
  }
}

TEST_CASE("readable: words of a megabyte lose their middle") {
  const std::string word(1000000, 'x');
  CHECK(readable("there is no name '" + word + "' here") ==
        "there is no name '" + word.substr(0, 199) + "...(999702 bytes)..." + word.substr(0, 99) + "' here");
  CHECK(readable(std::string(500, 'y')) == std::string(500, 'y'));
  std::string umlauts;
  for (int i = 0; i < 1000; ++i)
    umlauts += "\u00fc";
  CHECK(printable(readable("x" + umlauts)) == readable("x" + umlauts)); // cut between characters
}

TEST_CASE("diagnostics: neither the file's name nor its text nor the message commands the terminal") {
  Sources sources;
  const std::uint32_t file = sources.add({"a\x1b[8m.atl", "kernel \x1b[2J f"});
  const std::string text =
      render({Code::syntax_error, Span{file, 7, 8}, "no \x1b here", {{Span{file, 0, 6}, "\x07"}}}, sources);
  CHECK(text == "a\\x1b[8m.atl:1:8: error[E1001]: no \\x1b here\n  kernel ?[2J f\n         ^\n"
                "a\\x1b[8m.atl:1:1: note: \\x07\n  kernel ?[2J f\n  ^~~~~~\n");
}

} // namespace atl::printable_test
