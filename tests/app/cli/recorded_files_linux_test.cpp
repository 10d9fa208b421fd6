// The mode of recordings, and the data that they must not hold.
#include <unistd.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <fstream>
#include <iterator>
#include <span>
#include <vector>

#include "core/recording/key_index.h"
#include "core/stream/decoder.h"
#include "tests/app/cli/shell_linux.h"

namespace faultline::test {
namespace {

std::vector<FaultSample> samplesIn(const std::filesystem::path& recording) {
  std::ifstream file(recording, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), {});
  Decoder decoder;
  decoder.feed(std::as_bytes(std::span(bytes)));
  std::vector<FaultSample> samples;
  for (auto event = decoder.next(); event && !std::holds_alternative<NeedMoreBytes>(*event); event = decoder.next())
    if (const auto* batch = std::get_if<const FaultSampleBatch*>(&*event))
      samples.insert(samples.end(), (*batch)->samples.begin(), (*batch)->samples.end());
  return samples;
}

}  // namespace

TEST_CASE("A new or overwritten recording has mode 0600; other files follow the umask") {
  const Shell shell;
  const Outcome modes = shell.run(
      "umask 022; touch old.faultline; ln -s aim link.faultline; exec 2>/dev/null; "
      "for file in new old link; do faultline-cli --synthetic record --force -d 100ms -o $file.faultline; done; "
      "faultline-cli --synthetic frames -d 300ms --csv frames.csv --record frames.faultline >said; "
      "stat -c '%n %a' new.faultline old.faultline aim frames.faultline frames.csv");
  CHECK(modes.output == "new.faultline 600\nold.faultline 600\naim 600\nframes.faultline 600\nframes.csv 644\n");
}

TEST_CASE("A recording ends in the spikes that the summary counts, and so does each file of a ring") {
  const Shell shell;
  const auto told = [&](const char* file) {
    const auto index = KeyIndex::open(shell.folder / file);
    REQUIRE(index);
    REQUIRE(index->spikes());
    return index->spikes()->size();
  };
  const Outcome recorded = shell.run("faultline-cli --synthetic record -d 6s -o all.faultline 2>&1");
  CAPTURE(recorded.output);
  CHECK(told("all.faultline") > 0);
  CHECK(recorded.output.find(std::to_string(told("all.faultline")) + " spike") != std::string::npos);
  CHECK(shell.run("faultline-cli --synthetic record --ring 4s -d 6s -o ring.faultline").code == 0);
  CHECK(told("ring.faultline.before") > 0);
  static_cast<void>(told("ring.faultline"));
}

TEST_CASE("A recording of a game's faults holds call stacks by name, and no registers and memory") {
  if (geteuid() != 0) SKIP("single faults need a collector with privileges, such as root's");
  const Shell shell;
  const Outcome watched =
      shell.run("faultline-cli frames --stacks all --record game.faultline -- fake_game frames=200 2>&1");
  if (watched.output.find("ingle faults are unavailable") != std::string::npos) SKIP(watched.output);
  const auto samples = samplesIn(shell.folder / "game.faultline");
  CHECK(samples.size() > 100);
  for (const FaultSample& sample : samples) REQUIRE((sample.registers.empty() && sample.stack.empty()));
  if (watched.output.find("built without") != std::string::npos) SKIP(watched.output);
  CHECK(std::ranges::any_of(samples, [](const FaultSample& sample) {
    const CallStack stack = stackOf(sample.calls);
    return std::ranges::any_of(stack, [](const StackFrame& frame) { return frame.module.ends_with("/fake_game"); });
  }));
}

}  // namespace faultline::test
