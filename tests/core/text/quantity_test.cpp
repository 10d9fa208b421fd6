#include "core/text/quantity.h"

#include <catch2/catch_test_macros.hpp>
#include <limits>
#include <utility>
#include <vector>

namespace faultline {
namespace {

template <class Value>
using Table = std::vector<std::pair<Value, std::string>>;

template <class Value, class Format>
void check(const Table<Value>& table, Format format) {
  for (const auto& [value, text] : table) {
    CAPTURE(value);
    CHECK(format(value) == text);
  }
}

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinite = std::numeric_limits<double>::infinity();

}  // namespace

TEST_CASE("Counts are exact, with a thin space in the thousands") {
  check<std::uint64_t>(
      {{0, "0"},
       {999, "999"},
       {1000, "1\u202f000"},
       {8192, "8\u202f192"},
       {1'234'567, "1\u202f234\u202f567"},
       {std::numeric_limits<std::uint64_t>::max(), "18\u202f446\u202f744\u202f073\u202f709\u202f551\u202f615"}},
      formatCount);
}

TEST_CASE("Rates have three significant figures") {
  check<double>({{0, "0"},
                 {0.5, "0.5"},
                 {0.04, "0.04"},
                 {0.001, "<0.01"},
                 {0.005, "0.01"},
                 {1, "1"},
                 {1.236, "1.24"},
                 {9.994, "9.99"},
                 {9.996, "10"},
                 {12.34, "12.3"},
                 {99.94, "99.9"},
                 {99.96, "100"},
                 {999.4, "999"},
                 {999.5, "1.00 k"},
                 {1000, "1.00 k"},
                 {12'449, "12.4 k"},
                 {99'960, "100 k"},
                 {999'499, "999 k"},
                 {999'999, "1.00 M"},
                 {1e6 - 1, "1.00 M"},
                 {1.5e9, "1.50 G"},
                 {1e21, "1000 E"},
                 {-12'449, "\u221212.4 k"},
                 {kNan, "–"},
                 {kInfinite, "–"},
                 {-kInfinite, "–"}},
                formatRate);
}

TEST_CASE("Bytes have binary prefixes") {
  constexpr std::uint64_t kMi = std::uint64_t{1} << 20U;
  check<std::uint64_t>({{0, "0 B"},
                        {812, "812 B"},
                        {1023, "1023 B"},
                        {1024, "1.00 KiB"},
                        {10'239, "10.0 KiB"},
                        {kMi - 1, "1.00 MiB"},
                        {1000 * kMi, "1000 MiB"},
                        {1239 * kMi, "1.21 GiB"},
                        {std::numeric_limits<std::uint64_t>::max(), "16.0 EiB"}},
                       formatBytes);
}

TEST_CASE("Durations choose their unit") {
  using namespace std::chrono_literals;
  check<std::int64_t>({{0, "0 ns"},
                       {999, "999 ns"},
                       {1'000, "1.00 µs"},
                       {14'200'000, "14.2 ms"},
                       {999'999'999, "1.00 s"},
                       {61'000'000'000, "61.0 s"},
                       {119'900'000'000, "2 min"},
                       {125'000'000'000, "2 min 5 s"},
                       {11'520'000'000'000, "3 h 12 min"},
                       {176'400'000'000'000, "2 d 1 h"},
                       {-14'200'000, "\u221214.2 ms"},
                       {std::numeric_limits<std::int64_t>::min(), "\u2212106751 d 23 h"}},
                      [](std::int64_t ns) { return formatDuration(Nanoseconds(ns)); });
}

TEST_CASE("A percentage that is too small to show is marked with <") {
  check<double>({{0, "0 %"},
                 {0.003, "0.3 %"},
                 {0.0004, "0.04 %"},
                 {0.00001, "<0.01 %"},
                 {0.123, "12.3 %"},
                 {1, "100 %"},
                 {0.9999, "100 %"},
                 {2.5, "250 %"},
                 {-0.5, "\u221250 %"},
                 {kNan, "–"}},
                formatPercent);
}

TEST_CASE("Hidden characters in names are escaped") {
  check<std::string>({{"bash", "bash"},
                      {"we b) (x", "we b) (x"},
                      {"naïve – 日本 🎮", "naïve – 日本 🎮"},
                      {"a\nb\tc\rd", "a\\nb\\tc\\rd"},
                      {"\x1b[31mred", "\\x1b[31mred"},
                      {std::string("nul\0end", 7), "nul\\x00end"},
                      {"\x7f", "\\x7f"},
                      {"\u009b31m", "\\u{9b}31m"},
                      {"safe\u202eexe.txt", "safe\\u{202e}exe.txt"},
                      {"a\u200bb", "a\\u{200b}b"},
                      {"\u2066x\u2069", "\\u{2066}x\\u{2069}"},
                      {"\xff\xfe", "\\xff\\xfe"},
                      {"cut \xe6\x97", "cut \\xe6\\x97"},
                      {"\xc0\xaf", "\\xc0\\xaf"},
                      {"\xed\xa0\x80", "\\xed\\xa0\\x80"},
                      {"\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"},
                      {"", ""}},
                     printableName);
}

}  // namespace faultline
