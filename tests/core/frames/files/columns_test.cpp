// The manual page and the description of the stream list every number of a frame.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <fstream>
#include <sstream>

#include "core/frames/files/export.h"
#include "core/frames/files/formats.h"

using namespace faultline;

namespace {

std::string textOf(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(FAULTLINE_FIXTURES "/../../" + file).rdbuf();
  return text.str();
}

std::vector<std::string> columns() {
  WatchedGame game;
  std::string csv;
  csvFrames()->begin({game, ""}, csv);
  std::vector<std::string> names;
  std::istringstream head(csv.substr(0, csv.find('\r')));
  for (std::string name; std::getline(head, name, ',');) names.push_back(name);
  return names;
}

}  // namespace

TEST_CASE("The manual page has a sentence for each column of frames, in their order") {
  const std::string page = textOf("resources/man/faultline-cli.1");
  std::size_t at = page.find(".SS Numbers of each frame\n");
  REQUIRE(at != std::string::npos);
  for (const std::string& name : columns()) {
    CAPTURE(name);
    const auto row = std::ranges::find(kFrameFields, name, &FrameField::name);
    const std::string entry = ".TP\n.BR " + name + "\n";
    at = page.find(entry + (row == kFrameFields.end() ? std::string() : std::string(row->meaning) + "\n"), at);
    REQUIRE(at != std::string::npos);
    CHECK(page[at + entry.size()] != '.');
  }
}

TEST_CASE("The description of the stream names each bit of a frame's mask") {
  const std::string format = textOf("core/stream/format.md");
  for (const FrameField& row : kFrameFields) {
    if (row.name.empty() || row.metric == FrameMetric::MinorFaults || row.metric == FrameMetric::MajorFaults) continue;
    CAPTURE(row.name);
    const std::string bit = "| " + std::to_string(static_cast<int>(row.metric)) + " `" + std::string(row.name) + "` |";
    CHECK(format.find(bit) != std::string::npos);
  }
}
