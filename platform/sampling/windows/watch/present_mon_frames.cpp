#include "platform/sampling/windows/watch/present_mon_frames.h"

#include <utility>

#include "core/base/file_name.h"
#include "platform/sampling/windows/machine.h"
#include "platform/sampling/windows/watch/fault_count.h"
#include "platform/sampling/windows/watch/single_faults.h"
#include "platform/sampling/windows/watch/watched_game.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;

constexpr Nanoseconds kCountInterval = 5ms;  // between readings of the count
constexpr Nanoseconds kFirstLook = 1s;
constexpr Nanoseconds kLastRows = 2s;  // that PresentMon may still write when the game has ended
constexpr DWORD kLookForFirstMs = 10;

double ticksPerSecond() {
  LARGE_INTEGER frequency{};
  ::QueryPerformanceFrequency(&frequency);
  return static_cast<double>(frequency.QuadPart);
}

std::string endedWith(DWORD code) {
  return "ended with code " + std::to_string(static_cast<int>(code));
}

}  // namespace

Result<std::unique_ptr<FrameSource>> PresentMonFrames::open(const WatchOptions& options, const Clock& clock) {
  auto process = openGame(options.pid);
  if (!process) return tl::unexpected(process.error());
  const auto count = faultCount(process->get());
  if (!count) return fail("Windows does not let the page faults of " + processText(options.pid) + " be counted.");
  if (*count == 0 && wineVersion() != nullptr) return fail(kNoCountsUnderWine);
  auto child = PresentMon::start(pathFromUtf8(options.presentMon), options.pid);
  if (!child) return tl::unexpected(child.error());
  std::unique_ptr<PresentMonFrames> source(
      new PresentMonFrames(std::move(*process), *count, std::move(*child), options, clock));
  for (const MonotonicTime end = clock.now() + kFirstLook; clock.now() < end; ::Sleep(kLookForFirstMs)) {
    source->readRows();
    source->addSlot();
    if (source->m_stream.begun() || !source->m_trouble.empty()) break;
  }
  if (!source->m_trouble.empty()) return fail(source->m_trouble);
  return source;
}

PresentMonFrames::PresentMonFrames(UniqueHandle process, std::uint32_t count, PresentMon child,
                                   const WatchOptions& options, const Clock& clock)
    : m_process(std::move(process)),
      m_child(std::move(child)),
      m_clock(clock),
      m_program(options.presentMon),
      m_stream(options.pid, ticksPerSecond()),
      m_lastTime(clock.now()),
      m_lastCount(count),
      m_hello(helloOfGame(options.pid, m_process, kCountInterval)) {
  WatchedGame& game = *m_hello.watched;
  game.by = FrameEnd::Log;
  game.mark = "PresentMon";
  game.faults = estimated(
      "the process's count of page faults, minor and major together, read every 5 ms, and divided in proportion to "
      "time where a frame ends between two readings");
  m_singleFaults = watchFaults(options, clock.now(), game);
}

void PresentMonFrames::addSlot() {
  const MonotonicTime now = m_clock.now();
  const auto count = faultCount(m_process.get());
  if (!count || now <= m_lastTime || hasExited(m_process)) return;  // a count of an ended process may be any
  GameFrame slot;
  slot.start = m_lastTime;
  slot.duration = now - m_lastTime;
  slot.values.setFaults(static_cast<std::uint32_t>(*count - m_lastCount), std::nullopt);
  m_join.addSlot(slot);
  m_lastTime = now;
  m_lastCount = *count;
}

void PresentMonFrames::readRows() {
  const auto code = m_child.exited();  // before the rest is read
  std::vector<FrameSpan> frames;
  const auto fed = m_stream.feed(m_child.read(), frames);
  m_join.addFrames(frames);
  if (!m_gameEnd && hasExited(m_process)) m_gameEnd = m_clock.now();
  m_ended = m_gameEnd && (code || m_clock.now() - *m_gameEnd > kLastRows);
  if (m_gameEnd) return;
  if (!fed) m_trouble = "PresentMon (" + m_program + ") cannot be read. " + fed.error().message;
  else if (code) m_trouble = presentMonFailure(m_program, endedWith(*code), m_child.errors());
}

void PresentMonFrames::collect(GameFrameBatch& batch, FaultSampleBatch& samples) {
  if (!m_gameEnd) addSlot();
  if (m_singleFaults) m_singleFaults->collect(m_clock.now(), samples);
  readRows();
  m_join.take(batch.frames);
  batch.lost = m_join.lost() + (m_ended ? m_join.waiting() : 0);
  batch.state = m_ended ? GameState::Exited : GameState::Running;
}

}  // namespace faultline
