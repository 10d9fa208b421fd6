#include "core/trial/output.h"

#include <catch2/catch_test_macros.hpp>

using namespace faultline;

namespace {

TrialSample printed(const std::string& text, std::size_t kept = kKeptOutput) {
  return {.outputBytes = text.size(), .outputHash = hashOn(kEmptyHash, text), .output = text.substr(0, kept)};
}

std::string told(const TrialSample& plain, const TrialSample& other) {
  const auto difference = outputDifference(plain, {other});
  return difference ? differenceText(*difference) : "";
}

}  // namespace

TEST_CASE("The first lines that differ are shown, also those that one output lacks") {
  CHECK(told(printed("a\nb\n"), printed("a\nb\n")).empty());
  CHECK(told(printed("a\nb\nc\n"), printed("a\nx\nc\nd")) == "line 2: “b” becomes “x”; line 4: no line becomes “d”");
  CHECK(told(printed("1\n2\n3\n4\n"), printed("")) ==
        "line 1: “1” becomes no line; line 2: “2” becomes no line; line 3: “3” becomes no line");
  CHECK(told(printed("a"), printed("a\n")) == "1 B become 2 B, with the same lines as far as they are kept");
}

TEST_CASE("A long line is cut around the difference, between characters, and is printable") {
  const std::string before(100, 'a');
  CHECK(told(printed(before + "1" + before), printed(before + "2\x1b")) == "line 1: “…" + std::string(24, 'a') + "1" +
                                                                               std::string(35, 'a') + "…” becomes “…" +
                                                                               std::string(24, 'a') + "2\\x1b”");
  std::string wide;
  for (int i = 0; i < 40; ++i) wide += "ü";
  CHECK(told(printed("x" + wide), printed("y" + wide)).find("\\x") == std::string::npos);
}

TEST_CASE("Of outputs that are kept in part, the lines of that part are compared") {
  CHECK(told(printed("same\nsame\nold\n", 12), printed("same\nsame\nnew\n", 12)) ==
        "14 B become 14 B, with the same lines as far as they are kept");
  CHECK(told(printed("same\nold\nsame\n", 12), printed("same\nnew\nsame\n", 12)) == "line 2: “old” becomes “new”");
}

TEST_CASE("A list of runs keeps the first output, and the first that is another") {
  std::vector<TrialSample> runs;
  for (const char* const text : {"a", "a", "b", "c", "a"}) addRun(runs, printed(text));
  std::string kept;
  for (const TrialSample& run : runs) kept += run.output + ".";
  CHECK(kept == "a..b...");
  CHECK(outputDifference(printed("a"), runs)->lines.front().other == "b");
  TrialSample ended = printed("z");
  ended.ended = true;
  CHECK_FALSE(outputDifference(printed("a"), {ended}));
}
