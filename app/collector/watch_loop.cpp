#include "app/collector/watch_loop.h"

#include <algorithm>

#include "core/stream/encoder.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kMostUnsent = 60'000;  // frames kept for a reader that is slow
constexpr Nanoseconds kSignOfLife = 500ms;   // a batch goes out at least as often, empty if need be

class WatchLoop {
 public:
  WatchLoop(FrameSource& source, Outlet& outlet, const Clock& clock)
      : m_source(source), m_outlet(outlet), m_clock(clock), m_due(clock.now()), m_lastSent(m_due) {}

  std::string run(const Hello& hello) {
    m_interval = hello.interval;
    for (bool goOn = sent(m_encoder.hello(hello)); goOn;) goOn = waitForTurn() && turn();
    if (!m_readerGone && m_trouble.empty()) finish();
    return m_trouble;
  }

 private:
  bool waitForTurn() {
    m_due = std::max(m_due + m_interval, m_clock.now());
    const auto wake = m_outlet.waitUntil(m_due);
    if (!wake) return fails(wake.error());
    m_readerGone = *wake == Wake::ReaderGone;
    m_stopped = *wake == Wake::Stop;
    return !m_readerGone;
  }

  bool turn() {
    m_source.collect(m_batch);
    forgetOldest();
    const bool last = m_stopped || m_batch.state != GameState::Running;
    if (last) return false;
    if (m_batch.frames.empty() && m_clock.now() - m_lastSent < kSignOfLife) return true;
    return sent(toSend());
  }

  void forgetOldest() {
    if (m_batch.frames.size() <= kMostUnsent) return;
    const std::size_t count = m_batch.frames.size() - kMostUnsent;
    m_batch.frames.erase(m_batch.frames.begin(), m_batch.frames.begin() + static_cast<std::ptrdiff_t>(count));
    m_forgotten += count;
  }

  std::span<const std::byte> toSend() {
    m_batch.lost += m_forgotten;
    m_lastSent = m_clock.now();
    return m_encoder.gameFrames(m_batch);
  }

  // What was not sent stays, to go with what comes next.
  bool sent(std::span<const std::byte> frame) {
    const auto result = m_outlet.send(frame);
    if (!result) return fails(result.error());
    if (*result == Sent::Accepted) m_batch.frames.clear();
    else m_encoder.dropped();
    m_readerGone = *result == Sent::ReaderGone;
    return !m_readerGone;
  }

  void finish() {
    if (const auto result = m_outlet.finish(toSend()); !result) fails(result.error());
    else if (const auto ended = m_outlet.finish(m_encoder.end()); !ended) fails(ended.error());
  }

  bool fails(const Error& error) {
    m_trouble = error.message;
    return false;
  }

  FrameSource& m_source;
  Outlet& m_outlet;
  const Clock& m_clock;
  Nanoseconds m_interval{0};
  MonotonicTime m_due;
  MonotonicTime m_lastSent;
  Encoder m_encoder;
  GameFrameBatch m_batch;
  std::uint64_t m_forgotten = 0;
  bool m_stopped = false;
  bool m_readerGone = false;
  std::string m_trouble;
};

}  // namespace

std::string runWatch(const Hello& hello, FrameSource& source, Outlet& outlet, const Clock& clock) {
  return WatchLoop(source, outlet, clock).run(hello);
}

}  // namespace faultline
