#include "platform/sampling/nt/fault_watch.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstring>

using namespace faultline;
using namespace std::chrono_literals;

namespace {

// A process that Windows has been asked to note the faults of.
struct ScriptedFaults {
  std::vector<NtFault> noted{};
  std::uint32_t count = 0xFFFFFFF0;  // wraps soon
  std::uint32_t beginError = kWinSuccess;
  std::uint32_t readError = kWinSuccess;
  std::size_t reads = 0;

  void fault(std::uint64_t code, std::uint64_t address, std::uint32_t thread = 5) {
    ++count;
    noted.push_back({.code = code, .address = address, .thread = thread});
  }
  FaultFunctions functions() {
    return {.begin = [this] { return beginError; },
            .read = [this](std::span<std::byte> out) { return read(out); },
            .count = [this] { return std::optional(count); },
            .reason = [](std::uint32_t error) { return "reason " + std::to_string(error); }};
  }

 private:
  // As documented: all notes with an end, or none, and the notes stay.
  std::uint32_t read(std::span<std::byte> out) {
    ++reads;
    if (readError != kWinSuccess) return readError;
    if (noted.empty()) return kWinNoMoreItems;
    if (out.size() < (noted.size() + 1) * kNtFaultBytes) return kWinBufferTooSmall;
    std::ranges::fill(out, std::byte{0});
    for (std::size_t i = 0; i < noted.size(); ++i) {
      const std::uint64_t words[]{noted[i].code, noted[i].address, noted[i].thread, 0xAA};
      std::memcpy(out.data() + i * kNtFaultBytes, words, sizeof words);
    }
    noted.clear();
    return kWinSuccess;
  }
};

FaultWatch begun(ScriptedFaults& faults) {
  auto watch = FaultWatch::begin(faults.functions(), {100ms});
  REQUIRE(watch);
  return std::move(*watch);
}

}  // namespace

TEST_CASE("The notes of Windows become faults with code, address and thread, in the middle between two readings") {
  ScriptedFaults faults;
  FaultWatch watch = begun(faults);
  faults.fault(0x7FF6'0000'1234, 0x1A0'0000'2000);
  faults.fault(0xFFFFF800'0000'0010, 0x1A0'0000'3000, 6);
  FaultSampleBatch batch;
  watch.collect({110ms}, batch);
  REQUIRE(batch.samples.size() == 2);
  CHECK(batch.samples[0].time == MonotonicTime{105ms});
  CHECK(batch.samples[0].thread == 5);
  CHECK(batch.samples[0].address == 0x1A0'0000'2000);
  CHECK(batch.samples[0].registers == std::vector<std::uint64_t>{0x7FF6'0000'1234});
  CHECK_FALSE(batch.samples[0].inKernel);
  CHECK(batch.samples[1].inKernel);
  CHECK(batch.samples[1].registers.empty());
  CHECK(batch.lost == 0);
  FaultSampleBatch none;
  watch.collect({115ms}, none);
  CHECK(none.samples.empty());
  CHECK(none.lost == 0);
}

TEST_CASE("More notes than the buffer holds are read with a larger one, and none is lost") {
  ScriptedFaults faults;
  FaultWatch watch = begun(faults);
  for (std::uint64_t i = 0; i < 10'000; ++i) faults.fault(0x1000 + i, i << 12U);
  FaultSampleBatch batch;
  watch.collect({110ms}, batch);
  REQUIRE(batch.samples.size() == 10'000);
  CHECK(batch.samples.back().address == 9'999U << 12U);
  CHECK(batch.lost == 0);
}

TEST_CASE("Faults that Windows counts and does not note are lost") {
  ScriptedFaults faults;
  FaultWatch watch = begun(faults);
  faults.fault(0x1000, 0x2000);
  faults.count += 40;  // Windows' own buffer was full
  FaultSampleBatch batch;
  watch.collect({110ms}, batch);
  CHECK(batch.samples.size() == 1);
  CHECK(batch.lost == 40);
  watch.collect({115ms}, batch);
  CHECK(batch.lost == 40);
}

TEST_CASE("A fault between the count and the notes is not lost, and makes no other one found") {
  ScriptedFaults faults;
  FaultWatch watch = begun(faults);
  faults.fault(0x1000, 0x2000);
  --faults.count;  // counted after the count was read
  FaultSampleBatch batch;
  watch.collect({110ms}, batch);
  ++faults.count;
  watch.collect({115ms}, batch);
  CHECK(batch.samples.size() == 1);
  CHECK(batch.lost == 0);
}

TEST_CASE("A Windows that notes no faults says why") {
  ScriptedFaults faults;
  faults.beginError = 5;
  auto refused = FaultWatch::begin(faults.functions(), {});
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message == "Windows does not note the single page faults of this process: reason 5.");
  faults.beginError = kWinSuccess;
  faults.readError = 120;  // ERROR_CALL_NOT_IMPLEMENTED
  refused = FaultWatch::begin(faults.functions(), {});
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message == "Windows does not tell the single page faults of this process: reason 120.");
}

TEST_CASE("A process that has gone ends its notes without a fault") {
  ScriptedFaults faults;
  FaultWatch watch = begun(faults);
  faults.readError = 6;  // ERROR_INVALID_HANDLE
  FaultSampleBatch batch;
  watch.collect({110ms}, batch);
  CHECK(batch.samples.empty());
  CHECK(faults.reads == 2);
}

TEST_CASE("A list of notes that is cut, or has no end, is read as far as its records are whole") {
  std::vector<std::uint64_t> words{0x1000, 0x2000, 7, 0, 0x3000, 0x4000, 8, 0};
  std::vector<NtFault> read;
  readNtFaults(std::as_bytes(std::span(words)), read);
  CHECK(read == std::vector<NtFault>{{0x1000, 0x2000, 7}, {0x3000, 0x4000, 8}});
  read.clear();
  readNtFaults(std::as_bytes(std::span(words)).first(63), read);
  CHECK(read.size() == 1);
  words[0] = 0;
  read.clear();
  readNtFaults(std::as_bytes(std::span(words)), read);
  CHECK(read.empty());
}
