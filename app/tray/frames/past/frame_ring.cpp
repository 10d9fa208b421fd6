#include "app/tray/frames/past/frame_ring.h"

#include <QElapsedTimer>
#include <algorithm>
#include <system_error>
#include <utility>

#include "core/culprits/culprits.h"
#include "platform/host/recorded_file.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;

// Of a core, at most a tenth for call stacks.
constexpr auto kReadEvery = 20ms;
constexpr qint64 kReadTurnNs = 2'000'000;
constexpr std::size_t kMostUnread = 16'384;  // each has about 600 bytes of the game's memory

}  // namespace

FrameRing::FrameRing(const GameWatch& watch, const FrameRingLimits& limits)
    : m_watch(&watch), m_limits(limits), m_hello(watch.hello()), m_noticed(watch.history().end()) {
  m_writing.setSingleShot(true);
  m_writing.setInterval(limits.gathered);
  m_reading.setInterval(kReadEvery);
  m_again.setSingleShot(true);
  m_again.setInterval(limits.again);
  connect(&m_writing, &QTimer::timeout, this, &FrameRing::write);
  connect(&m_reading, &QTimer::timeout, this, &FrameRing::readStacks);
  connect(&watch, &GameWatch::received, this, &FrameRing::take);
  connect(&watch, &GameWatch::ingested, this, &FrameRing::notice);
  connect(&watch, &QObject::destroyed, this, &FrameRing::write);
}

FrameRing::~FrameRing() {
  blockSignals(true);
  write();
}

void FrameRing::keepIn(const std::filesystem::path& file) {
  m_writer.reset();  // Windows removes no open file
  std::error_code none;
  if (m_begun)
    for (const std::filesystem::path& each : {m_file, beforeOf(m_file)}) std::filesystem::remove(each, none);
  m_begun = m_holds = false;
  m_hurt.clear();
  m_unread.clear();
  m_file = file;
}

// A file begins with the Hello of its first frames.
void FrameRing::take(const StreamEvent& event) {
  if (const auto* const hello = std::get_if<Hello>(&event)) {
    write();
    m_hello = *hello;
    if (m_writer) static_cast<void>(m_writer->add(m_hello));  // write() tells an error, which the writer repeats
  } else if (const auto* const batch = std::get_if<const GameFrameBatch*>(&event); batch && !m_file.empty()) {
    const GameFrameBatch& came = **batch;
    std::vector<GameFrame> frames = std::move(m_frames.frames);
    std::ranges::copy(came.frames, std::back_inserter(frames));
    m_frames = {came.lost, came.invalidMarks, came.state, std::move(frames), came.faultsAfter};
    if (came.state != GameState::Running) write();
    else if (!m_frames.frames.empty() && !m_writing.isActive()) m_writing.start();
  }
}

// The samples of a frame that faults hit are taken once all have come.
void FrameRing::notice() {
  const FrameHistory& history = m_watch->history();
  history.visit(std::max(m_noticed, history.begin()), history.end(),
                [this](std::uint64_t place, const JudgedFrame& judged) {
                  if (judged.flagged() && !m_file.empty()) m_hurt.push_back(place);
                });
  m_noticed = history.end();
  while (!m_hurt.empty()) {
    const std::uint64_t place = m_hurt.front();
    const bool kept = place >= history.begin() && place < history.end();
    if (kept && history.newest() - history.at(place).frame.end() < kLatestSample && !m_watch->over()) break;
    m_hurt.pop_front();
    std::vector<FaultSample> samples;
    forSomeOf(m_watch->samplesAt(place), kEnoughSamples, [&](const FaultSample& sample) { samples.push_back(sample); });
    if (m_unread.size() + samples.size() > kMostUnread) m_leftOut += samples.size();
    else m_unread.add(std::move(samples), m_watch->reader());
  }
  if (!m_unread.empty() && !m_reading.isActive()) m_reading.start();
}

void FrameRing::readStacks() {
  QElapsedTimer spent;
  spent.start();
  while (!m_unread.empty() && spent.nsecsElapsed() < kReadTurnNs) {
    auto sample = m_unread.next();
    if (!sample) break;
    m_samples.samples.push_back(std::move(*sample));
  }
  if (m_watch) m_samples.lost = m_watch->totals().lostSamples + m_leftOut;
  if (m_unread.empty()) m_reading.stop();
  if (!m_samples.samples.empty() && !m_writing.isActive()) m_writing.start();
}

void FrameRing::write() {
  m_writing.stop();
  if (!m_file.empty() && !m_again.isActive())
    if (const auto done = written(); !done) {
      m_writer.reset();
      m_again.start();
      Q_EMIT failed(QString::fromStdString(done.error().message));
    }
  m_frames = {};
  m_samples.samples.clear();  // the number of lost ones is that of the watch so far
}

Result<void> FrameRing::written() {
  if (!m_frames.frames.empty()) {
    const MonotonicTime start = m_frames.frames.front().start;
    const bool full = m_writer && (start - m_turned >= m_limits.time || m_writer->bytes() >= m_limits.bytes);
    if (!m_writer || full) {
      if (auto begun = this->begin(); !begun) return begun;
      m_turned = start;
    }
  }
  if (!m_writer) return {};
  if (!m_frames.frames.empty() || m_frames.state != GameState::Running)
    if (auto added = m_writer->add(m_frames); !added) return added;
  m_holds = true;
  return m_samples.samples.empty() ? Result<void>() : m_writer->add(m_samples);
}

// A file that has frames gives way to the next one alone.
Result<void> FrameRing::begin() {
  m_writer.reset();  // Windows renames no open file
  auto writer = std::exchange(m_holds, false) ? turnRing(m_file, m_hello) : createRecording(m_file, m_hello);
  if (!writer) return tl::unexpected(writer.error());
  m_writer = std::move(*writer);
  if (!std::exchange(m_begun, true)) Q_EMIT begun();
  return {};
}

}  // namespace faultline
