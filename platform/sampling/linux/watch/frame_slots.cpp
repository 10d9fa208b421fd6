#include "platform/sampling/linux/watch/frame_slots.h"

#include <algorithm>
#include <utility>

#include "core/marks/joiner.h"
#include "platform/sampling/linux/facts/quality.h"
#include "platform/sampling/linux/watch/bpf/programs.h"
#include "platform/sampling/linux/watch/bpf/quality.h"
#include "platform/sampling/linux/watch/frame_clock.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;

constexpr Nanoseconds kSlotInterval = 10ms;
constexpr std::uint64_t kMostAtOnce = 16384;  // slots

class SlottedFrames final : public FrameSource {
 public:
  SlottedFrames(WatchTarget target, std::unique_ptr<BpfWatch> watch, const WatchOptions& options, const Clock& clock)
      : m_target(std::move(target)),
        m_watch(std::move(watch)),
        m_rate(options.assumedRate),
        m_length(Nanoseconds(1s) / m_rate),
        m_clock(clock),
        m_hello(assumedHello(m_target, kSlotInterval, m_rate)) {
    WatchedGame& game = *m_hello.watched;
    game.faults.how =
        "BPF, min_flt and maj_flt of all threads as they grow, in slots of equal length, independent of the ends of "
        "the game's own frames";
    describeBpfWatch(m_watch->abilities(), options.samples, options.delay, game);
    const auto nothing = m_watch->present();
    m_began = m_watch->beginSlots();
    if (nothing) endSlot(0, *nothing);
  }

  [[nodiscard]] Hello hello() const override { return m_later ? m_later->hello() : m_hello; }
  [[nodiscard]] bool helloChanged() override {
    if (m_watch && m_watch->beginsToSkip()) {
      describeSkippedRuns(*m_hello.watched);
      m_changed = true;
    }
    return std::exchange(m_changed, false);
  }

  void collect(GameFrameBatch& batch, FaultSampleBatch& samples) override {
    if (m_later) return m_later->collect(batch, samples);
    const bool exited = m_target.exited();  // before the marks, so that none from before the end is missing
    m_marks.clear();
    m_watch->collect(m_marks, samples);
    for (const BpfMark& mark : m_marks) endSlots(mark.frame.number, mark.frame, batch);
    const auto present = m_watch->present();
    const auto ended = static_cast<std::uint64_t>((m_clock.now() - m_began) / m_length);
    if (present && ended > present->number) endSlots(ended, *present, batch);
    if (exited) end(present, batch);
    else if (m_watch->programLeft()) readOn(batch, samples);
  }

 private:
  // The slots up to this one have ended with these sums, the first of them after the last mark's.
  void endSlots(std::uint64_t number, const FrameMark& sums, GameFrameBatch& batch) {
    const std::uint64_t last = std::min(number, m_ended + kMostAtOnce);
    while (m_ended < last)
      if (const auto frame = endSlot(m_ended + 1, sums)) batch.frames.push_back(*frame);
  }

  std::optional<GameFrame> endSlot(std::uint64_t number, FrameMark sums) {
    m_ended = number;
    sums.number = number;
    sums.thread = 0;
    sums.time = m_began + m_length * static_cast<std::int64_t>(number);
    m_sums = sums;
    return m_joiner.add(sums, sums.time);
  }

  void end(const std::optional<FrameMark>& sums, GameFrameBatch& batch) {
    batch.state = GameState::Exited;
    if (sums)
      batch.faultsAfter = m_joiner.faultsAfter(sums->values.minorFaults(), sums->values.majorFaults().value_or(0));
  }

  // The privileges are gone: the rest of the process is read from a file that is open already.
  void readOn(GameFrameBatch& batch, FaultSampleBatch& samples) {
    m_marks.clear();
    m_watch->collect(m_marks, samples);
    for (const BpfMark& mark : m_marks) endSlots(mark.frame.number, mark.frame, batch);
    const auto last = readingAtLastSlot();
    m_watch.reset();
    m_later = ClockedFrames::goOn(
        std::move(m_target), m_rate, m_clock,
        {.why = "The process runs another program than the one that was opened", .enable = "Watch the process again."},
        m_hello, m_ended, last);
    m_changed = true;
  }

  // The kernel's counts at the end of the last slot. Absent if the program has stayed and its rights have changed.
  [[nodiscard]] std::optional<ClockedFrames::Reading> readingAtLastSlot() const {
    const auto now = m_watch->present();
    const auto counts = m_watch->faultsAtExec();
    if (!now || !counts || !m_sums) return std::nullopt;
    return ClockedFrames::Reading{
        .time = m_sums->time,
        .minorFaults = counts->minor - (now->values.minorFaults() - m_sums->values.minorFaults()),
        .majorFaults =
            counts->major - (now->values.majorFaults().value_or(0) - m_sums->values.majorFaults().value_or(0))};
  }

  WatchTarget m_target;
  std::unique_ptr<BpfWatch> m_watch;  // null: m_later
  std::uint32_t m_rate;
  Nanoseconds m_length;
  const Clock& m_clock;
  Hello m_hello;
  bool m_changed = false;
  MonotonicTime m_began;
  std::uint64_t m_ended = 0;        // slots
  std::optional<FrameMark> m_sums;  // at the end of the last one
  MarkJoiner m_joiner;
  std::vector<BpfMark> m_marks;
  std::unique_ptr<FrameSource> m_later;
};

}  // namespace

Result<std::unique_ptr<FrameSource>, Unavailable> openSlottedFrames(WatchTarget& target, const WatchOptions& options,
                                                                    const Clock& clock) {
  auto watch = BpfWatch::open(target, {}, {.watch = options, .slot = Nanoseconds(1s) / options.assumedRate});
  if (!watch) return tl::unexpected(std::move(watch.error()));
  return std::make_unique<SlottedFrames>(std::move(target), std::move(*watch), options, clock);
}

}  // namespace faultline
