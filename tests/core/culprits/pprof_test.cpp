#include "core/culprits/pprof.h"

#include <catch2/catch_test_macros.hpp>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace faultline {
namespace {

using namespace std::chrono_literals;

// A message as a reader sees it: numbers and bytes by the numbers of their fields.
struct Read {
  explicit Read(std::string_view bytes) {
    std::size_t at = 0;
    const auto varint = [&] {
      std::uint64_t value = 0;
      for (unsigned shift = 0;; shift += 7) {
        const auto byte = static_cast<std::uint8_t>(bytes.at(at++));
        value |= std::uint64_t{byte & 0x7FU} << shift;
        if (byte < 0x80) return value;
      }
    };
    while (at < bytes.size()) {
      const std::uint64_t key = varint();
      const std::uint64_t value = varint();
      if ((key & 7U) == 0) {
        numbers[key >> 3U].push_back(value);
      } else {
        texts[key >> 3U].emplace_back(bytes.substr(at, value));
        at += value;
      }
    }
  }
  std::map<std::uint64_t, std::vector<std::uint64_t>> numbers;
  std::map<std::uint64_t, std::vector<std::string>> texts;
};

// "thread: main;Level::load = 16, 500" for each sample.
std::vector<std::string> samplesOf(const std::string& bytes) {
  const Read profile(bytes);
  const auto& words = profile.texts.at(6);
  std::map<std::uint64_t, std::string> functions;
  for (const std::string& function : profile.texts.at(5)) {
    const Read read(function);
    functions[read.numbers.at(1)[0]] = words.at(read.numbers.at(2)[0]);
  }
  std::map<std::uint64_t, std::string> locations;
  for (const std::string& location : profile.texts.at(4)) {
    const Read read(location);
    locations[read.numbers.at(1)[0]] = functions.at(Read(read.texts.at(4)[0]).numbers.at(1)[0]);
  }
  std::vector<std::string> samples;
  for (const std::string& sample : profile.texts.at(2)) {
    const Read read(sample);
    const Read label(read.texts.at(3)[0]);
    std::string text = words.at(label.numbers.at(2)[0]) + ":";
    const auto calls = read.numbers.find(1);
    if (calls != read.numbers.end())
      for (auto call = calls->second.rbegin(); call != calls->second.rend(); ++call) text += " " + locations.at(*call);
    for (const std::uint64_t value : read.numbers.at(2)) text += " " + std::to_string(value);
    samples.push_back(std::move(text));
  }
  return samples;
}

CallStack stackOf(const std::vector<std::string>& innermostFirst) {
  CallStack stack;
  for (const std::string& function : innermostFirst) stack.emplace_back().function = function;
  return stack;
}

}  // namespace

TEST_CASE("pprof has a sample for each stack, of its own faults and their time, with the thread as a label") {
  CallTree tree;
  addStack(tree, "loader", stackOf({"memset", "Level::load", "main"}), 64, 500ns);
  addStack(tree, "loader", stackOf({"Level::load", "main"}), 16, 100ns);
  addStack(tree, "audio", {}, 4, 0ns);
  const std::string bytes = pprofOf(tree);
  CHECK(samplesOf(bytes) == std::vector<std::string>{"loader: main Level::load memset 64 500",
                                                     "loader: main Level::load 16 100", "audio: 4 0"});
  const Read profile(bytes);
  CHECK(profile.texts.at(6)[0].empty());
  CHECK(profile.texts.at(1).size() == 2);
  CHECK(profile.texts.at(6)[profile.numbers.at(14)[0]] == "page_faults");
}

TEST_CASE("pprof of faults without times has their number alone, and of no faults is a profile") {
  CallTree tree;
  addStack(tree, "loader", stackOf({"main"}), 3, 0ns);
  CHECK(samplesOf(pprofOf(tree)) == std::vector<std::string>{"loader: main 3"});
  const std::string none = pprofOf({});
  CHECK(Read(none).texts.count(2) == 0);
  CHECK(Read(none).texts.at(6)[0].empty());
}

}  // namespace faultline
