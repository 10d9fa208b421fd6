// The memory into which a game notes its frames: the game may write anything into it, also between two looks. The input
// is what it writes there and when we look, one step after the other.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>

#include "core/marks/own_mark.h"
#include "core/marks/pairing.h"
#include "platform/sampling/linux/target/ring_file.h"

#define FAULTLINE_FRAME_LAYOUT_ONLY
#include "resources/faultline_frame.h"

namespace {

using namespace faultline;

constexpr std::size_t kBytes = FAULTLINE_FRAME_HEAD + FAULTLINE_FRAME_RECORDS * sizeof(faultline_record);
constexpr MonotonicTime kNow{std::chrono::hours(1)};

void demand(bool condition) {
  if (!condition) std::abort();
}

class Input {
 public:
  explicit Input(std::span<const std::uint8_t> bytes) : m_bytes(bytes) {}

  [[nodiscard]] bool empty() const { return m_bytes.empty(); }
  std::uint64_t number(std::size_t size = 8) {
    std::uint64_t value = 0;
    copyTo(&value, size);
    return value;
  }
  void copyTo(void* place, std::size_t size) {
    size = std::min(size, m_bytes.size());
    std::memcpy(place, m_bytes.data(), size);
    m_bytes = m_bytes.subspan(size);
  }

 private:
  std::span<const std::uint8_t> m_bytes;
};

// The game's side.
class Forgery {
 public:
  Forgery() : m_file(memfd_create("forgery", MFD_ALLOW_SEALING)) {
    demand(ftruncate(m_file.get(), kBytes) == 0 && fcntl(m_file.get(), F_ADD_SEALS, F_SEAL_SHRINK) == 0);
    m_memory = static_cast<char*>(mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED, m_file.get(), 0));
    demand(m_memory != MAP_FAILED);
  }

  [[nodiscard]] const UniqueFd& file() const { return m_file; }
  faultline_ring& head() { return *reinterpret_cast<faultline_ring*>(m_memory); }
  faultline_record& record(std::uint64_t ticket) {
    return reinterpret_cast<faultline_record*>(m_memory + FAULTLINE_FRAME_HEAD)[ticket % FAULTLINE_FRAME_RECORDS];
  }
  void wipe() {
    std::memset(m_memory, 0, kBytes);
    head().magic = FAULTLINE_FRAME_MAGIC;
    head().born = static_cast<std::uint64_t>(kNow.sinceEpoch.count());
  }
  // As the header does it.
  void note(Input& input) {
    const std::uint64_t ticket = head().head++;
    faultline_record& noted = record(ticket);
    noted = {.ticket = ticket + 1,
             .number = ticket + input.number(1),
             .time = head().born + ticket * 1000 + input.number(2),
             .who = input.number(1) << 32U | input.number(1),
             .minor_faults = ticket + input.number(1),
             .major_faults = input.number(1),
             .thread_minor_faults = ticket + input.number(1),
             .thread_major_faults = input.number(1)};
  }
  void forge(Input& input) {
    switch (input.number(1) % 4) {
      case 0:
        return input.copyTo(&record(input.number(2)), sizeof(faultline_record));
      case 1:
        return input.copyTo(head().names[input.number(1) % FAULTLINE_FRAME_MARKS], FAULTLINE_FRAME_NAME);
      case 2:
        return void(head().head += input.number(2));
      default: {
        const std::size_t place = input.number(2) % (sizeof(faultline_ring) - sizeof(std::uint64_t));
        return input.copyTo(reinterpret_cast<char*>(&head()) + place, sizeof(std::uint64_t));
      }
    }
  }

 private:
  UniqueFd m_file;
  char* m_memory;
};

// The watcher's side: the way of a mark from the ring to a frame.
class Watcher {
 public:
  explicit Watcher(FrameRing ring) : m_ring(std::move(ring)) {}

  void look() {
    static_cast<void>(m_ring.notedAt() + m_ring.owner());
    m_ring.watchUntil(kNow);
    const auto names = m_ring.names();
    const auto preferred = preferredMark(names);
    demand(names.size() == FAULTLINE_FRAME_MARKS && (!preferred || *preferred < names.size()));
    for (unsigned mark = 0; mark < FAULTLINE_FRAME_MARKS + 1; ++mark)
      demand(m_ring.name(mark).size() <= FAULTLINE_FRAME_NAME);
    int records = 0;
    for (; const auto record = m_ring.next(); ++records) {
      FrameMark mark = record->frame;
      m_pairing.noted(mark);
      // The kernel's programs tell times, which are none of the game's forgeries and never negative.
      mark.values.set(FrameMetric::FaultTime, std::max(mark.time.sinceEpoch, Nanoseconds(0)) / 2);
      mark.values.set(FrameMetric::ZeroedBytes, mark.values.minorFaults());
      if (record->mark % 2 == 0) m_pairing.measured(mark);
    }
    demand(records <= FAULTLINE_FRAME_RECORDS);
    m_pairing.turn();
    drain(false);
  }
  void drain(bool all) {
    constexpr MonotonicTime kLater{std::chrono::hours(2)};
    while (const auto mark = m_pairing.next(all))
      if (const auto frame = m_joiner.add(*mark, kLater)) demandSound(*frame);
  }

 private:
  static void demandSound(const GameFrame& frame) {
    demand(frame.start >= MonotonicTime{} && frame.duration >= Nanoseconds(0));
    demand(frame.values.get(FrameMetric::ThreadMinorFaults).value_or(0) <= frame.values.minorFaults() &&
           frame.values.get(FrameMetric::ThreadMajorFaults).value_or(0) <= frame.values.majorFaults());
    demand(frame.values.time(FrameMetric::FaultTime).value_or(Nanoseconds(0)) >= Nanoseconds(0));
  }

  FrameRing m_ring;
  MarkPairing m_pairing;
  MarkJoiner m_joiner;
};

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Forgery game;
  game.wipe();
  Input input({data, size});
  while (!input.empty() && input.number(1) % 2 == 0) game.forge(input);  // before anybody looks
  auto ring = openFrameRing(game.file(), kNow);
  if (!ring) return 0;
  Watcher watcher(std::move(*ring));
  while (!input.empty()) {
    switch (input.number(1) % 4) {
      case 0:
        game.forge(input);
        break;
      case 1:
        watcher.look();
        break;
      default:
        game.note(input);
    }
  }
  watcher.look();
  watcher.drain(true);
  return 0;
}
