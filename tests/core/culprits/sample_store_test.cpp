#include "core/culprits/sample_store.h"

#include <catch2/catch_test_macros.hpp>

#include "tests/support/some_samples.h"

namespace faultline::test {
namespace {

using namespace std::chrono_literals;

// A fault of a loop over memory: the stack is the same, one register grows.
FaultSample inLoop(std::uint64_t turn, std::byte caller = std::byte{1}) {
  FaultSample sample = sampleAt(1ms, turn);
  sample.took = 900ns;
  sample.mapping->name = "/games/level.pak";
  sample.registers.assign(17, 7);
  sample.registers[5] = sample.address;
  sample.stack.assign(2048, caller);
  return sample;
}

// What a sample takes by itself.
std::size_t plainBytes(const FaultSample& sample) {
  return sizeof(FaultSample) + sample.registers.size() * 8 + sample.stack.size() + sample.mapping->name.size();
}

}  // namespace

TEST_CASE("A packed sample is the same when it is unpacked") {
  std::vector<FaultSample> all{inLoop(1), inLoop(2), inLoop(2, std::byte{3}), sampleAt(2ms), FaultSample{}};
  all[1].thread = 8;
  all[1].threadName = "audio";
  all[1].weight = 16;
  all[1].registers[0] = 0;
  all[1].registers[16] = UINT64_MAX;
  all[2].major = all[2].inKernel = true;
  all[2].access = FaultAccess{.write = false, .present = true, .execute = true};
  all[3].calls = callsOf({codeOf("load"), codeOf("main")});
  all[4].registers = {3};
  FaultSample widest = inLoop(4);
  widest.registers.assign(64, 1);
  all.push_back(widest);
  widest.registers.assign(64, 2);
  all.push_back(widest);
  SampleStore store;
  std::vector<PackedSample> packed;
  for (const FaultSample& sample : all) packed.push_back(store.pack(sample));
  for (std::size_t i = 0; i < all.size(); ++i) CHECK(store.unpack(packed[i]) == all[i]);
}

TEST_CASE("Equal call stacks are kept once, as long as a sample has them") {
  SampleStore store;
  std::vector<PackedSample> packed;
  for (std::uint64_t turn = 0; turn < 1000; ++turn) packed.push_back(store.pack(inLoop(turn, std::byte(turn % 2))));
  CHECK(store.stacks() == 2);
  CHECK(plainBytes(inLoop(0)) > 2300);
  CHECK(store.bytes() / 1000 < 120);
  std::size_t grown = 0;
  for (const PackedSample& sample : packed) grown += sample.bytes;
  CHECK(grown == store.bytes());
  for (std::uint64_t turn = 0; turn < 1000; turn += 2) store.drop(packed[turn]);
  CHECK(store.stacks() == 1);
  CHECK(store.unpack(packed[1]) == inLoop(1, std::byte{1}));
  for (std::uint64_t turn = 1; turn < 1000; turn += 2) store.drop(packed[turn]);
  CHECK(store.stacks() == 0);
  CHECK(store.bytes() == 0);
}

}  // namespace faultline::test
