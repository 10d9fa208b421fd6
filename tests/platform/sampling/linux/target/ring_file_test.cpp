// Rings with arbitrary contents from a game, or from an attacker.
#include "platform/sampling/linux/target/ring_file.h"

#include <fcntl.h>
#include <sys/mman.h>

#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <cstring>
#include <random>
#include <thread>
#include <vector>

#define FAULTLINE_FRAME_LAYOUT_ONLY
#include "platform/sampling/clock.h"
#include "resources/faultline_frame.h"

namespace faultline::test {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kRingBytes = FAULTLINE_FRAME_HEAD + FAULTLINE_FRAME_RECORDS * sizeof(faultline_record);
constexpr MonotonicTime kNow{1h};

// The game's side, written by hand.
class Forgery {
 public:
  explicit Forgery(std::size_t bytes = kRingBytes, int seals = F_SEAL_SHRINK)
      : m_file(memfd_create("forgery", MFD_ALLOW_SEALING)) {
    REQUIRE((ftruncate(m_file.get(), static_cast<off_t>(bytes)) == 0 && fcntl(m_file.get(), F_ADD_SEALS, seals) == 0));
    m_memory = static_cast<char*>(mmap(nullptr, kRingBytes, PROT_READ | PROT_WRITE, MAP_SHARED, m_file.get(), 0));
    if (bytes < kRingBytes) return;
    head().magic = FAULTLINE_FRAME_MAGIC;
    head().born = static_cast<std::uint64_t>(kNow.sinceEpoch.count());
    std::strcpy(head().names[0], "render");
  }
  ~Forgery() { munmap(m_memory, kRingBytes); }
  Forgery(const Forgery&) = delete;
  Forgery& operator=(const Forgery&) = delete;

  [[nodiscard]] const UniqueFd& file() const { return m_file; }
  [[nodiscard]] char* memory() { return m_memory; }
  faultline_ring& head() { return *reinterpret_cast<faultline_ring*>(m_memory); }
  faultline_record& record(std::uint64_t ticket) {
    return reinterpret_cast<faultline_record*>(m_memory + FAULTLINE_FRAME_HEAD)[ticket % FAULTLINE_FRAME_RECORDS];
  }
  void write(std::uint64_t ticket) {
    record(ticket).ticket = ticket + 1;
    record(ticket).number = ticket + 1;
    head().head = std::max(head().head, ticket + 1);
  }

 private:
  UniqueFd m_file;
  char* m_memory;
};

}  // namespace

TEST_CASE("Only memory of fixed size, and of the right size and kind, is accepted as a ring") {
  CHECK(openFrameRing(Forgery().file(), kNow));
  CHECK_FALSE(openFrameRing(Forgery(kRingBytes, F_SEAL_GROW).file(), kNow));
  CHECK_FALSE(openFrameRing(Forgery(kRingBytes - 1).file(), kNow));
  CHECK_FALSE(openFrameRing(UniqueFd(open("/dev/null", O_RDWR)), kNow));
  Forgery blank;
  blank.head().magic = 0;
  CHECK_FALSE(openFrameRing(blank.file(), kNow));
}

TEST_CASE("A new ring is read from its beginning, an old ring from now on") {
  Forgery forgery;
  for (std::uint64_t ticket = 0; ticket < 3; ++ticket) forgery.write(ticket);
  CHECK(openFrameRing(forgery.file(), kNow + 1s)->next()->frame.number == 1);
  CHECK(openFrameRing(forgery.file(), kNow - 1ms)->next());  // the clock was read before the ring was created
  auto late = openFrameRing(forgery.file(), kNow + 3s);
  CHECK_FALSE(late->next());
  forgery.write(3);
  CHECK(late->next()->frame.number == 4);
}

TEST_CASE("Records that were overwritten before they were read are skipped") {
  Forgery forgery;
  auto ring = openFrameRing(forgery.file(), kNow);
  for (std::uint64_t ticket = 0; ticket < 10'000; ++ticket) forgery.write(ticket);
  std::uint64_t expected = 10'000 - FAULTLINE_FRAME_RECORDS;
  while (const auto record = ring->next()) REQUIRE(record->frame.number == ++expected);
  CHECK(expected == 10'000);
}

TEST_CASE("A thread that is stuck in the middle of a record does not delay others for long") {
  Forgery forgery;
  auto ring = openFrameRing(forgery.file(), kNow);
  forgery.head().head = 1;  // begun and never finished
  CHECK_FALSE(ring->next());
  for (std::uint64_t ticket = 1; ticket < 10; ++ticket) forgery.write(ticket);
  CHECK_FALSE(ring->next());
  for (std::uint64_t ticket = 10; ticket < 20; ++ticket) forgery.write(ticket);
  CHECK(ring->next()->frame.number == 2);
}

TEST_CASE("A head that jumps anywhere costs at most one round of the ring") {
  Forgery forgery;
  for (std::uint64_t ticket = 0; ticket < FAULTLINE_FRAME_RECORDS; ++ticket) forgery.write(ticket);
  auto ring = openFrameRing(forgery.file(), kNow);
  for (const std::uint64_t head : {UINT64_MAX, std::uint64_t{0}, std::uint64_t{1} << 63U, std::uint64_t{5000}}) {
    forgery.head().head = head;
    int records = 0;
    while (ring->next()) ++records;
    CHECK(records <= FAULTLINE_FRAME_RECORDS);
  }
}

TEST_CASE("Names without a terminator are read up to their greatest length") {
  Forgery forgery;
  std::memset(forgery.head().names, 'x', sizeof forgery.head().names);
  const auto ring = openFrameRing(forgery.file(), kNow);
  CHECK(ring->name(7) == std::string(FAULTLINE_FRAME_NAME, 'x'));
  CHECK(ring->names() == std::vector<std::string>(FAULTLINE_FRAME_MARKS, std::string(FAULTLINE_FRAME_NAME, 'x')));
}

TEST_CASE("Reading a ring that is overwritten with random bytes is safe") {
  Forgery forgery;
  auto ring = openFrameRing(forgery.file(), kNow);
  std::atomic<bool> done = false;
  std::thread vandal([&] {
    std::mt19937_64 random(7);
    while (!done) {
      const std::uint64_t ticket = random() % 8 == 0 ? random() : random() % (2UL * FAULTLINE_FRAME_RECORDS);
      std::atomic_ref(forgery.head().head).store(ticket, std::memory_order_relaxed);
      for (int i = 0; i < 100; ++i) {
        const std::uint64_t place = ticket - random() % FAULTLINE_FRAME_RECORDS;
        std::atomic_ref(forgery.record(place).number).store(random(), std::memory_order_relaxed);
        std::atomic_ref(forgery.record(place).ticket).store(place + 1, std::memory_order_relaxed);
      }
    }
  });
  std::uint64_t records = 0;
  const MonotonicTime end = systemClock().now() + 30s;
  while (records < 1000 && systemClock().now() < end) records += ring->next() ? 1 : 0;
  done = true;
  vandal.join();
  CHECK(records == 1000);
}

}  // namespace faultline::test
