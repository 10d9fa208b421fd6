#include "platform/sampling/windows/watch/marked_frames.h"

#include <windows.h>

#include <memory>
#include <string>
#include <utility>

#include "platform/sampling/windows/machine.h"
#include "platform/sampling/windows/watch/single_faults.h"
#include "platform/sampling/windows/watch/watched_game.h"
#include "platform/system/windows/system_text.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;

constexpr Nanoseconds kInterval = 10ms;  // the ring holds 4096 frames
constexpr Nanoseconds kPromise = 2s;     // time that the game notes frames after the last renewal
constexpr DWORD kLookAgainMs = 10;       // between looks for a first mark
constexpr int kMostRecords = 8192;       // at once, of a game that notes them faster than they are read

// The memory that the process has named; absent: it has set no mark yet.
// Windows never shortens memory that is mapped.
Result<std::optional<FrameRing>> openGameRing(std::uint32_t pid, MonotonicTime now) {
  const std::wstring name = L"Local\\faultline-frames-" + std::to_wstring(pid);
  const UniqueHandle mapping(::OpenFileMappingW(FILE_MAP_READ | FILE_MAP_WRITE, FALSE, name.c_str()));
  if (!mapping) {
    const DWORD error = ::GetLastError();
    if (error == ERROR_FILE_NOT_FOUND) return std::optional<FrameRing>();
    return fail("The game's frame marks cannot be opened: " + reasonOf(error) + ".");
  }
  void* const memory = ::MapViewOfFile(mapping.get(), FILE_MAP_READ | FILE_MAP_WRITE, 0, 0, FrameRing::bytes());
  if (memory == nullptr) return FrameRing::otherVersion();  // shorter
  auto ring = FrameRing::over({memory, [](void* mapped) { ::UnmapViewOfFile(mapped); }}, now);
  if (!ring) return tl::unexpected(ring.error());
  if (ring->owner() != pid) return fail("The game's frame marks are those of another process.");
  return std::optional<FrameRing>(std::move(*ring));
}

}  // namespace

Result<std::unique_ptr<FrameSource>> MarkedFrames::open(const WatchOptions& options, const Clock& clock) {
  auto process = openGame(options.pid);
  if (!process) return tl::unexpected(process.error());
  const std::string who = processText(options.pid);
  const MonotonicTime end = clock.now() + options.patience;
  for (;;) {
    auto ring = openGameRing(options.pid, clock.now());
    if (ring && *ring) {
      (*ring)->watchUntil(clock.now() + kPromise);
      const auto first = (*ring)->find(options.mark) ? (*ring)->next() : std::nullopt;
      if (first && first->frame.values.minorFaults() == 0 && wineVersion() != nullptr) return fail(kNoCountsUnderWine);
      if (first)
        return std::unique_ptr<FrameSource>(
            new MarkedFrames(std::move(*process), std::move(**ring), *first, options, clock));
    }
    if (hasExited(*process)) return fail(who + " has exited without marking a frame.");
    if (clock.now() >= end) {
      if (!ring) return tl::unexpected(ring.error());
      if (!options.mark.empty()) return fail(who + " has set no frame mark called '" + options.mark + "'.");
      return fail(who + " marks no frames: it does not call faultline_frame() of faultline_frame.h.");
    }
    ::Sleep(kLookAgainMs);
  }
}

MarkedFrames::MarkedFrames(UniqueHandle process, FrameRing ring, RingRecord first, const WatchOptions& options,
                           const Clock& clock)
    : m_process(std::move(process)),
      m_ring(std::move(ring)),
      m_first(first),
      m_mark(m_ring.find(options.mark).value_or(0)),
      m_mayChange(options.mark.empty()),
      m_clock(clock),
      m_hello(helloOfGame(options.pid, m_process, kInterval)) {
  WatchedGame& game = *m_hello.watched;
  game.by = FrameEnd::OwnMarks;
  game.faults = exact("GetProcessMemoryInfo by the game at each of its marks: minor and major faults together");
  m_singleFaults = watchFaults(options, clock.now(), game);
  if (m_singleFaults) m_hello.interval = kSingleFaultInterval;
  lookForMarks();
}

bool MarkedFrames::helloChanged() {
  return std::exchange(m_changed, false);
}

// A game may set the mark of its pictures later than another. Frames then begin anew.
void MarkedFrames::lookForMarks() {
  const auto better = m_mayChange ? m_ring.find({}) : std::nullopt;
  if (better && *better != m_mark) {
    m_mark = *better;
    m_joiner.restart();
  }
  std::vector<std::string> names = m_ring.names();
  std::erase(names, std::string());
  m_hello.watched->mark = m_ring.name(m_mark);
  m_hello.watched->marks = std::move(names);
}

void MarkedFrames::collect(GameFrameBatch& batch, FaultSampleBatch& samples) {
  m_ring.watchUntil(m_clock.now() + kPromise);
  batch.state = hasExited(m_process) ? GameState::Exited : GameState::Running;  // before the last records are read
  if (m_first) take(*std::exchange(m_first, std::nullopt), batch);
  for (int records = 0; records < kMostRecords; ++records) {
    const auto record = m_ring.next();
    if (!record) break;
    take(*record, batch);
  }
  if (m_singleFaults) m_singleFaults->collect(m_clock.now(), samples);
  batch.lost = m_joiner.lost();
  batch.invalidMarks = m_joiner.invalidMarks();
}

void MarkedFrames::take(const RingRecord& record, GameFrameBatch& batch) {
  if (record.mark > m_highest) {
    m_highest = record.mark;
    lookForMarks();
    m_changed = true;
  }
  if (record.mark != m_mark) return;
  const auto count = static_cast<std::uint32_t>(record.frame.values.minorFaults());
  m_faults += m_lastCount ? static_cast<std::uint32_t>(count - *m_lastCount) : 0;
  m_lastCount = count;
  FrameMark mark{.number = record.frame.number, .time = record.frame.time};
  mark.values.setFaults(m_faults, std::nullopt);
  if (const auto frame = m_joiner.add(mark, m_clock.now())) batch.frames.push_back(*frame);
}

}  // namespace faultline
