// Records as the kernel writes them, and as it never would.
#include "platform/sampling/records/perf_fault_records.h"

#include <array>
#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <random>

namespace faultline::test {
namespace {

constexpr std::uint16_t kUser = 2;
constexpr std::uint16_t kKernel = 1;

class Bytes {
 public:
  template <class Value>
  Bytes& put(Value value) {
    for (const std::byte byte : std::bit_cast<std::array<std::byte, sizeof value>>(value)) m_bytes.push_back(byte);
    return *this;
  }
  Bytes& note() {
    return put(std::uint64_t{77}).put(std::uint32_t{5}).put(std::uint32_t{6}).put(std::uint64_t{1'000'000});
  }
  Bytes& registers(std::uint64_t abi, std::size_t count) {
    put(abi);
    for (std::size_t i = 0; i < count; ++i) put(std::uint64_t{100 + i});
    return *this;
  }
  Bytes& stack(std::uint64_t size, std::uint64_t filled) {
    put(size);
    for (std::uint64_t i = 0; i < size; ++i) put(static_cast<std::uint8_t>(i));
    return size > 0 ? put(filled) : *this;
  }
  [[nodiscard]] PerfRecord record(std::uint16_t misc = kUser) const { return {kPerfSample, misc, m_bytes}; }
  [[nodiscard]] std::size_t size() const { return m_bytes.size(); }

 private:
  std::vector<std::byte> m_bytes;
};

Bytes whole() {
  return Bytes().note().put(std::uint64_t{0x7000}).registers(2, 17).stack(16, 12);
}

}  // namespace

TEST_CASE("A note has its event, process, thread and time") {
  const auto note = parsePerfNote(Bytes().note().record());
  CHECK(note == PerfNote{.event = 77, .process = 5, .thread = 6, .time = {Nanoseconds(1'000'000)}});
  CHECK_FALSE(parsePerfNote(Bytes().put(std::uint64_t{77}).put(std::uint64_t{5}).record()));
  CHECK_FALSE(parsePerfNote(Bytes().put(std::uint64_t{1}).put(std::uint64_t{5}).put(UINT64_MAX).record()));
}

TEST_CASE("A name that a process gets by executing another program tells when it did") {
  constexpr std::uint16_t kExec = 1 << 13;
  Bytes bytes;  // process, thread, name, sample_id
  bytes.put(std::uint32_t{5}).put(std::uint32_t{6}).put(std::uint64_t{'x'});
  bytes.put(std::uint32_t{5}).put(std::uint32_t{6}).put(std::uint64_t{1'000'000}).put(std::uint64_t{77});
  const auto tell = [&](std::uint16_t misc, std::uint32_t type = kPerfComm) {
    PerfRecord record = bytes.record(misc);
    record.type = type;
    return record;
  };
  CHECK(parsePerfExec(tell(kExec), 5) == MonotonicTime{Nanoseconds(1'000'000)});
  CHECK_FALSE(parsePerfExec(tell(kExec), 6));
  CHECK_FALSE(parsePerfExec(tell(0), 5));
  CHECK_FALSE(parsePerfExec(tell(kExec, kPerfSample), 5));
  const Bytes brief = Bytes().put(std::uint32_t{5}).put(std::uint32_t{6});
  CHECK_FALSE(parsePerfExec({kPerfComm, kExec, brief.record().body}, 5));
  const Bytes early = Bytes().put(std::uint64_t{5}).put(UINT64_MAX).put(std::uint64_t{77});
  CHECK_FALSE(parsePerfExec({kPerfComm, kExec, early.record().body}, 5));
}

TEST_CASE("A fault has its registers in DWARF's order and the filled part of the stack") {
  const auto fault = parsePerfFault(whole().record(), perfRegistersX86());
  REQUIRE(fault);
  CHECK(fault->thread == 6);
  CHECK(fault->time == MonotonicTime{Nanoseconds(1'000'000)});
  CHECK(fault->address == 0x7000);
  CHECK_FALSE(fault->inKernel);
  // perf: ax bx cx dx si di bp sp ip r8 ... r15
  CHECK(fault->registers == std::vector<std::uint64_t>{100, 103, 102, 101, 104, 105, 106, 107, 109, 110, 111, 112, 113,
                                                       114, 115, 116, 108});
  REQUIRE(fault->stack.size() == 12);
  CHECK(fault->stack.back() == std::byte{11});
  CHECK(parsePerfFault(whole().record(kKernel), perfRegistersX86())->inKernel);
}

TEST_CASE("The registers of another machine have their own order") {
  const Bytes bytes = Bytes().note().put(std::uint64_t{1}).registers(2, 33).stack(0, 0);
  const auto fault = parsePerfFault(bytes.record(), perfRegistersArm64());
  REQUIRE(fault);
  REQUIRE(fault->registers.size() == 33);
  CHECK(fault->registers.front() == 100);
  CHECK(fault->registers.back() == 132);
}

TEST_CASE("A fault without registers, or with those of a 32-bit program, has none") {
  const auto none =
      parsePerfFault(Bytes().note().put(std::uint64_t{1}).registers(0, 0).stack(0, 0).record(), perfRegistersX86());
  REQUIRE(none);
  CHECK(none->registers.empty());
  CHECK(none->stack.empty());
  const auto small =
      parsePerfFault(Bytes().note().put(std::uint64_t{1}).registers(1, 17).stack(8, 8).record(), perfRegistersX86());
  REQUIRE(small);
  CHECK(small->registers.empty());
  CHECK(small->stack.size() == 8);
}

TEST_CASE("A truncated or inconsistent fault record is absent") {
  const Bytes bytes = whole();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    PerfRecord record = bytes.record();
    record.body = record.body.first(size);
    CHECK_FALSE(parsePerfFault(record, perfRegistersX86()));
  }
  const auto withStack = [](std::uint64_t size, std::uint64_t filled) {
    return Bytes().note().put(std::uint64_t{1}).registers(0, 0).put(size).put(std::uint64_t{0}).put(filled);
  };
  CHECK(parsePerfFault(withStack(8, 8).record(), perfRegistersX86()));
  CHECK_FALSE(parsePerfFault(withStack(8, 9).record(), perfRegistersX86()));
  CHECK_FALSE(parsePerfFault(withStack(17, 8).record(), perfRegistersX86()));
  CHECK_FALSE(parsePerfFault(withStack(UINT64_MAX, 8).record(), perfRegistersX86()));
}

TEST_CASE("Random bytes do no harm") {
  std::mt19937_64 random(11);
  for (int round = 0; round < 20'000; ++round) {
    Bytes bytes;
    for (std::uint64_t i = random() % 40; i > 0; --i) bytes.put(random() % 3 == 0 ? random() : random() % 32);
    static_cast<void>(parsePerfNote(bytes.record()));
    const auto fault = parsePerfFault(bytes.record(), perfRegistersX86());
    if (fault) CHECK(fault->stack.size() <= bytes.size());
    CHECK((lostPerfRecords(bytes.record()) == 0 || bytes.size() >= 16));
  }
}

TEST_CASE("A record that wraps around the ring is visited in one piece") {
  std::array<std::byte, 64> ring{};
  for (std::uint64_t start = 0; start < 64; ++start) {
    const auto put = [&](std::uint64_t place, auto value) {
      std::array<std::byte, sizeof value> bytes{};
      std::memcpy(bytes.data(), &value, sizeof value);
      for (const std::byte byte : bytes) ring[(start + place++) % ring.size()] = byte;
    };
    put(0, std::uint32_t{kPerfLost});
    put(4, std::uint16_t{0});
    put(6, std::uint16_t{24});
    put(8, std::uint64_t{9});
    put(16, std::uint64_t{1234});
    std::uint64_t lost = 0;
    forEachPerfRecord({ring, start, start + 24}, [&](const PerfRecord& record) { lost += lostPerfRecords(record); });
    CHECK(lost == 1234);
  }
}

}  // namespace faultline::test
