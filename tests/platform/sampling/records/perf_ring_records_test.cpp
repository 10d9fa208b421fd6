#include "platform/sampling/records/perf_ring_records.h"

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cstring>

using namespace faultline;

namespace {

// A ring as the kernel writes it: records one after the other, from anywhere, going on at the start.
class Ring {
 public:
  explicit Ring(std::uint64_t start) : m_tail(start), m_head(start) {}

  Ring& sample(std::uint64_t address, std::uint32_t pid) {
    header(9, 24);
    put(address);
    put(pid);
    put(pid + 1);  // the thread
    return *this;
  }
  Ring& lost(std::uint64_t count) {
    header(2, 24);
    put(std::uint64_t{77});  // the event
    put(count);
    return *this;
  }
  Ring& header(std::uint32_t type, std::uint16_t size) {
    put(type);
    put(std::uint16_t{1});
    put(size);
    return *this;
  }
  template <class Value>
  void put(Value value) {
    std::array<std::byte, sizeof value> bytes{};
    std::memcpy(bytes.data(), &value, sizeof value);
    for (const std::byte byte : bytes) m_bytes[m_head++ % m_bytes.size()] = byte;
  }
  [[nodiscard]] PerfRecords read() const { return read(m_tail, m_head); }
  [[nodiscard]] PerfRecords read(std::uint64_t tail, std::uint64_t head) const {
    PerfRecords records;
    readPerfRecords(m_bytes, tail, head, records);
    return records;
  }
  [[nodiscard]] std::uint64_t tail() const { return m_tail; }
  [[nodiscard]] std::uint64_t head() const { return m_head; }

 private:
  std::array<std::byte, 256> m_bytes{};
  std::uint64_t m_tail;
  std::uint64_t m_head;
};

using Samples = std::vector<PerfSample>;

}  // namespace

TEST_CASE("perf samples are read in order, by process and not by thread, wherever in the ring they begin") {
  for (std::uint64_t start = 0; start < 512; ++start) {
    Ring ring(start);
    ring.sample(0xffffffff81000000, 5).sample(0xffffffff81000010, 9).sample(3, 5);
    CHECK(ring.read().samples == Samples{{0xffffffff81000000, 5}, {0xffffffff81000010, 9}, {3, 5}});
  }
}

TEST_CASE("perf samples are read across the end of a ring whose counters wrap") {
  CHECK(Ring(UINT64_MAX - 20).sample(1, 2).sample(3, 4).read().samples == Samples{{1, 2}, {3, 4}});
}

TEST_CASE("lost perf records are counted, records of other types ignored") {
  Ring ring(200);
  ring.lost(40).sample(1, 2).header(5, 16).put(std::uint64_t{0});
  ring.lost(2).sample(3, 4);
  const PerfRecords records = ring.read();
  CHECK(records.lost == 42);
  CHECK(records.samples == Samples{{1, 2}, {3, 4}});
}

TEST_CASE("an empty perf ring has no records; a full ring has all its records and reports possible losses") {
  Ring ring(8);
  CHECK(ring.read().samples.empty());
  for (std::uint32_t pid = 1; pid <= 9; ++pid) ring.sample(pid, pid);
  CHECK_FALSE(ring.read().full);  // 40 bytes are left: room for one more, and for the byte that is never used
  ring.sample(10, 10);
  CHECK(ring.read().full);
  ring.header(5, 16).put(std::uint64_t{0});
  REQUIRE(ring.head() - ring.tail() == 256);
  CHECK(ring.read().full);
  CHECK(ring.read().samples.size() == 10);
}

TEST_CASE("an inconsistent perf ring is read up to the first invalid record") {
  Ring ring(0);
  ring.sample(1, 2).sample(3, 4);
  CHECK(ring.read(0, 47).samples == Samples{{1, 2}});  // cut within a record
  CHECK(ring.read(0, 25).samples == Samples{{1, 2}});  // cut within a header
  CHECK(ring.read(0, 257).samples.empty());            // more than the ring holds
  CHECK(ring.read(24, 0).samples.empty());             // backwards
  CHECK(Ring(0).sample(1, 2).header(9, 0).sample(3, 4).read().samples == Samples{{1, 2}});
  CHECK(Ring(0).sample(1, 2).header(9, 7).sample(3, 4).read().samples == Samples{{1, 2}});
  CHECK(Ring(0).header(9, 8).sample(3, 4).read().samples == Samples{{3, 4}});  // too short to be a sample
}
