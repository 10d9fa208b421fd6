#include "platform/sampling/linux/watch/frame_clock.h"

#include <utility>

#include "platform/sampling/linux/watch/bpf/quality.h"

namespace faultline {

Hello assumedHello(const WatchTarget& target, Nanoseconds interval, std::uint32_t rate) {
  Hello hello = watchHello(target, interval);
  hello.watched->by = FrameEnd::AssumedRate;
  hello.watched->mark = std::to_string(rate) + " Hz";
  hello.watched->faults.grade = Grade::Estimated;
  hello.watched->faults.enable = "Let the game call faultline_frame() of faultline_frame.h.";
  return hello;
}

std::unique_ptr<FrameSource> ClockedFrames::open(WatchTarget target, const WatchOptions& options, const Clock& clock,
                                                 const Unavailable& whole) {
  auto samples = options.samples == SampleMode::None ? Result<PerfSamples>(fail(std::string()))
                                                     : PerfSamples::open(target, options.samples);
  Hello hello = assumedHello(target, {}, options.assumedRate);
  auto source = goOn(std::move(target), options.assumedRate, clock, whole, std::move(hello), 0, std::nullopt);
  if (!samples) return source;  // the reason that BPF programs give stands
  auto& clocked = static_cast<ClockedFrames&>(*source);
  clocked.m_samples.emplace(std::move(*samples));
  clocked.m_hello.watched->samples = clocked.m_samples->quality();
  return source;
}

std::unique_ptr<FrameSource> ClockedFrames::goOn(WatchTarget target, std::uint32_t rate, const Clock& clock,
                                                 const Unavailable& whole, Hello hello, std::uint64_t number,
                                                 std::optional<Reading> last) {
  hello.interval = Nanoseconds(std::chrono::seconds(1)) / rate;
  hello.watched->name = target.nameNow();
  hello.watched->faults.how = "/proc/PID/stat at " + hello.watched->mark +
                              ", independent of the ends of the game's own frames. A late reading makes a longer "
                              "frame; no fault is missed";
  describeBpfMissing(whole, *hello.watched);
  return std::unique_ptr<FrameSource>(new ClockedFrames(std::move(target), clock, std::move(hello), number, last));
}

// exec() is no end, because the counts go on.
void ClockedFrames::collect(GameFrameBatch& batch, FaultSampleBatch& samples) {
  if (m_samples) m_samples->collect(samples);
  if (m_target.exited()) batch.state = GameState::Exited;
  const auto now = read();
  if (!now) return;
  const auto last = m_last;
  m_last = now;
  if (!last) return;
  GameFrame frame;
  frame.number = ++m_number;
  frame.start = last->time;
  frame.duration = now->time - last->time;
  frame.values.setFaults(now->minorFaults - last->minorFaults, now->majorFaults - last->majorFaults);
  batch.frames.push_back(frame);
}

std::optional<ClockedFrames::Reading> ClockedFrames::read() const {
  const MonotonicTime time = m_clock.now();
  const auto faults = m_target.faults();
  if (!faults) return std::nullopt;
  return Reading{time, faults->first, faults->second};
}

}  // namespace faultline
