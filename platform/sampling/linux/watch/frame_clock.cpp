#include "platform/sampling/linux/watch/frame_clock.h"

#include "platform/sampling/linux/facts/quality.h"

namespace faultline {

Result<std::unique_ptr<FrameSource>> ClockedFrames::open(WatchTarget target, std::uint32_t rate, const Clock& clock) {
  return std::unique_ptr<FrameSource>(new ClockedFrames(std::move(target), rate, clock));
}

ClockedFrames::ClockedFrames(WatchTarget target, std::uint32_t rate, const Clock& clock)
    : m_target(std::move(target)), m_rate(rate), m_clock(clock) {}

Hello ClockedFrames::hello() const {
  const std::string rate = std::to_string(m_rate) + " Hz";
  Hello hello = watchHello(m_target, Nanoseconds(std::chrono::seconds(1)) / m_rate);
  hello.watched->by = FrameEnd::AssumedRate;
  hello.watched->mark = rate;
  hello.watched->faults.grade = Grade::Estimated;
  hello.watched->faults.how =
      "/proc/PID/stat at " + rate +
      ", independent of the ends of the game's own frames. A late reading makes a longer frame; "
      "no fault is missed";
  hello.watched->faults.enable = "Let the game call faultline_frame() of faultline_frame.h.";
  for (Quality* quality : {&hello.watched->zeroed, &hello.watched->faultTime, &hello.watched->faultParts,
                           &hello.watched->teardown, &hello.watched->samples})
    *quality = unavailable("Frames of an assumed length are read from /proc, which has only counts",
                           "Frames that end with the game's own marks, or with a function's calls.");
  return hello;
}

// exec() is no end, because the counts go on.
void ClockedFrames::collect(GameFrameBatch& batch, FaultSampleBatch& /*samples*/) {
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
  frame.minorFaults = now->minorFaults - last->minorFaults;
  frame.majorFaults = now->majorFaults - last->majorFaults;
  batch.frames.push_back(frame);
}

std::optional<ClockedFrames::Reading> ClockedFrames::read() const {
  const MonotonicTime time = m_clock.now();
  const auto faults = m_target.faults();
  if (!faults) return std::nullopt;
  return Reading{time, faults->first, faults->second};
}

}  // namespace faultline
