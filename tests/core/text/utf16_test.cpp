#include "core/text/utf16.h"

#include <catch2/catch_test_macros.hpp>
#include <string_view>

#include "core/text/utf8.h"

using namespace faultline;

namespace {

std::string bytesOf(std::u16string_view text) {
  std::string out = "|";  // must be kept
  appendUtf16(std::as_bytes(std::span(text)), out);
  return out.substr(1);
}

}  // namespace

TEST_CASE("UTF-16 becomes the UTF-8 of the same text") {
  CHECK(bytesOf(u"").empty());
  CHECK(bytesOf(u"game.exe") == "game.exe");
  CHECK(bytesOf(u"\u007f\u0080\u07ff\u0800\ud7ff\ue000\uffff") ==
        "\x7f\xc2\x80\xdf\xbf\xe0\xa0\x80\xed\x9f\xbf\xee\x80\x80\xef\xbf\xbf");
  CHECK(bytesOf(u"\U00010000 \U0010ffff \U0001f3ae") == "\xf0\x90\x80\x80 \xf4\x8f\xbf\xbf \xf0\x9f\x8e\xae");
}

TEST_CASE("Every code point of each plane is converted") {
  for (char32_t point = 1; point <= 0x10FFFF; point += 37) {
    if (point >= 0xD800 && point <= 0xDFFF) continue;
    const bool pair = point >= 0x10000;
    const std::u16string text = pair ? std::u16string{static_cast<char16_t>(0xD7C0 + (point >> 10U)),
                                                      static_cast<char16_t>(0xDC00 + (point & 0x3FFU))}
                                     : std::u16string(1, static_cast<char16_t>(point));
    const std::string utf8 = bytesOf(text);
    const auto read = firstCodePoint(utf8);
    REQUIRE(read);
    REQUIRE(read->value == point);
    REQUIRE(read->size == utf8.size());
  }
}

TEST_CASE("Unpaired surrogates and NUL become invalid UTF-8, shown as escaped bytes") {
  const char16_t high[] = {u'a', 0xD83C, u'b'};
  CHECK(bytesOf({high, 3}) ==
        "a\xed\xa0\xbc"
        "b");
  const char16_t low[] = {0xDFAE, 0xDC00, 0xD800};  // surrogates in the wrong order, and an unpaired one at the end
  CHECK(bytesOf({low, 3}) == "\xed\xbe\xae\xed\xb0\x80\xed\xa0\x80");
  const char16_t twoHighs[] = {0xD83C, 0xD83C, 0xDFAE};
  CHECK(bytesOf({twoHighs, 3}) == "\xed\xa0\xbc\xf0\x9f\x8e\xae");
  CHECK(validUtf8(bytesOf({high, 3})) == "a\\xed\\xa0\\xbcb");
  CHECK(bytesOf({u"a\0b", 3}) ==
        "a\xc0\x80"
        "b");
  CHECK(bytesOf({u"a\0b", 3}).find('\0') == std::string::npos);
}

TEST_CASE("An odd last byte is ignored") {
  const std::u16string_view text = u"ab";
  std::string out;
  appendUtf16(std::as_bytes(std::span(text)).first(3), out);
  CHECK(out == "a");
}
