#include "app/collector/watch_loop.h"

#include <algorithm>
#include <deque>
#include <utility>

#include "core/stream/encoder.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kMostUnsent = 60'000;  // frames kept for a slow reader
// Kept for a slow reader: samples, and bytes of their stacks.
constexpr std::size_t kMostSamples = 65'536;
constexpr std::size_t kMostStackBytes = std::size_t{32} << 20U;
// Sent in one batch: frames wait for a batch that is being sent.
constexpr std::size_t kSamplesAtOnce = 2048;
constexpr std::size_t kStackBytesAtOnce = std::size_t{512} << 10U;
constexpr Nanoseconds kSignOfLife = 500ms;  // longest time between two batches, which may be empty
constexpr Nanoseconds kGather = 8ms;        // shortest time between two batches
constexpr Nanoseconds kLastPatience = 1h;   // with a reader that is paused when the game ends
constexpr Nanoseconds kRetry = 50ms;

class WatchLoop {
 public:
  WatchLoop(std::unique_ptr<FrameSource> source, Outlet& outlet, const Clock& clock)
      : m_source(std::move(source)), m_outlet(outlet), m_clock(clock), m_due(clock.now()), m_lastSent(m_due) {}

  std::string run(const Hello& hello) {
    m_hello = hello;
    for (bool goOn = sentHello(); goOn;) goOn = waitForTurn() && turn();
    if (!m_readerGone && m_trouble.empty()) finish();
    return m_trouble;
  }

 private:
  // Meanwhile sends what the reader has refused, as soon as it has room.
  bool waitForTurn() {
    planNext();
    for (;;) {
      const auto wake = m_refused ? m_outlet.waitForRoom(m_due) : m_outlet.waitUntil(m_due);
      if (!wake) return fails(wake.error());
      m_readerGone = *wake == Wake::ReaderGone;
      m_stopped = *wake == Wake::Stop;
      if (*wake != Wake::Room) return !m_readerGone;
      if (!sentDue()) return false;
    }
  }

  // The next deadline is the first on the grid after now, so that the loop never drifts.
  void planNext() {
    const auto late = (m_clock.now() - m_due) / m_hello.interval;
    m_due = m_due + (late + 1) * m_hello.interval;
  }

  bool turn() {
    m_batch.lost = 0;  // a source that loses no frame sets none
    m_source->collect(m_batch, m_taken);
    keepSamples();
    m_forgotten += forgetBeyond(kMostUnsent, m_batch.frames);
    m_batch.lost += m_forgotten;
    if (std::string trouble = m_source->trouble(); !trouble.empty()) return fails({std::move(trouble)});
    if (m_source->helloChanged()) retell();
    const bool last = m_stopped || m_batch.state != GameState::Running;
    return !last && sentDue();
  }

  // Samples come last: they may fill the reader's pipe.
  bool sentDue() {
    if (m_helloDue && !sentHello()) return false;
    const bool due = m_clock.now() - m_lastSent >= (m_batch.frames.empty() ? kSignOfLife : kGather);
    if (due && !sentFrames()) return false;
    return sentSamples();
  }

  // The oldest samples lose their stacks first, then are lost.
  void keepSamples() {
    std::ranges::move(m_taken.samples, std::back_inserter(m_waiting));
    m_taken.samples.clear();
    m_samplesForgotten += forgetBeyond(kMostSamples, m_waiting);
    std::size_t bytes = 0;
    for (auto sample = m_waiting.rbegin(); sample != m_waiting.rend(); ++sample)
      if ((bytes += sample->stack.size()) > kMostStackBytes) sample->stack = {};
  }

  template <class All>
  static std::size_t forgetBeyond(std::size_t most, All& all) {
    const std::size_t count = all.size() - std::min(all.size(), most);
    all.erase(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count));
    return count;
  }

  void retell() {
    Hello hello = m_source->hello();
    hello.version = m_hello.version;
    hello.collectorPid = m_hello.collectorPid;
    if (hello.watched && m_hello.watched && !hello.watched->delay) hello.watched->delay = m_hello.watched->delay;
    m_hello = std::move(hello);
    m_helloDue = true;
  }

  // Unsent data stays, and goes with the next data.
  bool sentHello() {
    return send(m_encoder.hello(m_hello), [this](bool accepted) { m_helloDue = !accepted; });
  }
  bool sentFrames() {
    return send(m_encoder.gameFrames(m_batch), [this](bool accepted) {
      if (!accepted) return;
      m_batch.frames.clear();
      m_lastSent = m_clock.now();
    });
  }
  // Sends piece by piece, as long as the reader accepts them.
  bool sentSamples() {
    bool taken = true;
    while (taken && nextSamples()) {
      if (!send(m_encoder.faultSamples(m_piece), [&](bool accepted) { taken = accepted; })) return false;
      if (taken) m_piece.samples.clear();
    }
    return true;
  }

  // False if there are no samples. A piece that was not accepted is the next piece again.
  bool nextSamples() {
    auto& piece = m_piece.samples;
    if (piece.empty()) {
      std::size_t bytes = 0;
      while (!m_waiting.empty() && piece.size() < kSamplesAtOnce && bytes < kStackBytesAtOnce) {
        bytes += m_waiting.front().stack.size();
        piece.push_back(std::move(m_waiting.front()));
        m_waiting.pop_front();
      }
    }
    m_piece.lost = m_taken.lost + m_samplesForgotten;
    return !piece.empty();
  }

  template <class Settle>
  bool send(std::span<const std::byte> packet, Settle settle) {
    const auto result = m_outlet.send(packet);
    if (!result) return fails(result.error());
    m_refused = *result == Sent::Dropped;
    if (*result != Sent::Accepted) m_encoder.dropped();
    settle(*result == Sent::Accepted);
    m_readerGone = *result == Sent::ReaderGone;
    return !m_readerGone;
  }

  // The game is rid of its watcher first: a paused reader may take long.
  void finish() {
    m_source.reset();
    m_giveUp = m_clock.now() + kLastPatience;
    if (m_helloDue && !finished(m_encoder.hello(m_hello))) return;
    if (!finished(m_encoder.gameFrames(m_batch))) return;
    for (; nextSamples(); m_piece.samples.clear())
      if (!finished(m_encoder.faultSamples(m_piece))) return;
    if (finished(m_encoder.end())) finished({});  // accepted once all before it is written
  }
  // Waits for a paused reader, unless this program is asked to end.
  bool finished(std::span<const std::byte> packet) {
    while (!m_stopped && m_clock.now() < m_giveUp) {
      const auto result = m_outlet.send(packet);
      if (!result) return fails(result.error());
      if (*result != Sent::Dropped) return *result == Sent::Accepted;
      const auto wake = m_outlet.waitForRoom(m_clock.now() + kRetry);
      if (!wake) return fails(wake.error());
      if (*wake == Wake::ReaderGone) return false;
      m_stopped = *wake == Wake::Stop;
    }
    const auto result = m_outlet.finish(packet);
    return result ? true : fails(result.error());
  }

  bool fails(const Error& error) {
    m_trouble = error.message;
    return false;
  }

  std::unique_ptr<FrameSource> m_source;
  Outlet& m_outlet;
  const Clock& m_clock;
  Hello m_hello;
  bool m_helloDue = true;
  MonotonicTime m_due;
  MonotonicTime m_lastSent;
  MonotonicTime m_giveUp;
  Encoder m_encoder;
  GameFrameBatch m_batch;
  FaultSampleBatch m_taken;           // in this turn
  std::deque<FaultSample> m_waiting;  // to be sent
  FaultSampleBatch m_piece;           // the part of m_waiting that is sent next
  std::uint64_t m_samplesForgotten = 0;
  std::uint64_t m_forgotten = 0;
  bool m_refused = false;  // the last packet, by the reader
  bool m_stopped = false;
  bool m_readerGone = false;
  std::string m_trouble;
};

}  // namespace

std::string runWatch(const Hello& hello, std::unique_ptr<FrameSource> source, Outlet& outlet, const Clock& clock) {
  return WatchLoop(std::move(source), outlet, clock).run(hello);
}

}  // namespace faultline
