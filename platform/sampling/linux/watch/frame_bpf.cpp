#include "platform/sampling/linux/watch/frame_bpf.h"

#include <string>
#include <utility>

#include "core/marks/candidates.h"
#include "core/marks/choice.h"
#include "core/marks/joiner.h"
#include "core/text/quantity.h"
#include "platform/sampling/linux/watch/bpf/programs.h"
#include "platform/sampling/linux/watch/bpf/quality.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;

constexpr Nanoseconds kBpfInterval = 10ms;

class BpfFrames final : public FrameSource {
 public:
  BpfFrames(WatchTarget target, std::unique_ptr<BpfWatch> watch, std::vector<std::string> names,
            const std::vector<ProbeCalls>& calls, const WatchOptions& options, const Clock& clock)
      : m_target(std::move(target)),
        m_watch(std::move(watch)),
        m_names(std::move(names)),
        m_clock(clock),
        m_choice(calls),
        m_lastSign(clock.now()),
        m_hello(watchHello(m_target, kBpfInterval)) {
    WatchedGame& game = *m_hello.watched;
    game.by = FrameEnd::Function;
    game.faults = exact(
        "BPF, min_flt and maj_flt of all threads as they grow; the last page that another thread "
        "populates may be counted in the next frame");
    describeBpfWatch(m_watch->abilities(), options.samples, options.delay, game);
  }

  [[nodiscard]] Hello hello() const override {
    Hello hello = m_hello;
    if (const auto chosen = m_choice.chosen()) hello.watched->mark = m_names[*chosen];
    return hello;
  }
  [[nodiscard]] bool helloChanged() override {
    if (m_watch->beginsToSkip()) {
      describeSkippedRuns(*m_hello.watched);
      m_changed = true;
    }
    return std::exchange(m_changed, false);
  }

  void collect(GameFrameBatch& batch, FaultSampleBatch& samples) override {
    const GameState state = lookAround();  // before the marks, so that none from before the end is missing
    m_marks.clear();
    m_watch->collect(m_marks, samples);
    for (const BpfMark& mark : m_marks) take(mark, batch);
    tellHandedOut();
    batch.state = state;
    batch.faultsAfter = state == GameState::Exited ? m_watch->faultsAfterMark() : std::nullopt;
    batch.lost = m_joiner.lost();
    batch.invalidMarks = m_joiner.invalidMarks();
  }

 private:
  GameState lookAround() {
    if (m_target.exited()) return GameState::Exited;
    if (m_watch->programLeft()) return GameState::ProgramLeft;
    const MonotonicTime now = m_clock.now();
    if (now - m_lastSign < kQuiet) return GameState::Running;
    m_lastSign = now;
    return m_target.state();
  }

  void tellHandedOut() {
    const std::uint64_t address = m_watch->handedOut();
    if (std::exchange(m_handedOutAt, address) == address) return;
    auto code = codeAt(m_target, address);
    if (!code) return;
    const std::string_view file = std::string_view(code->file).substr(code->file.rfind('/') + 1);
    code->name = "vkQueuePresentKHR (" + printableName(libraryName(file)) + ")";
    m_hello.watched->handedOut = std::move(*code);
    m_changed = true;
  }

  void take(const BpfMark& mark, GameFrameBatch& batch) {
    m_lastSign = m_clock.now();
    const bool ends = m_choice.ends(mark.place, mark.frame.time);
    if (m_choice.changed()) {
      m_joiner.restart();
      m_watch->choose(*m_choice.chosen());
      m_changed = true;
    }
    if (!ends) return;
    FrameMark numbered = mark.frame;  // the programs number each call
    numbered.number -= m_choice.parts();
    if (const auto frame = m_joiner.add(numbered, m_lastSign)) batch.frames.push_back(*frame);
  }

  WatchTarget m_target;
  std::unique_ptr<BpfWatch> m_watch;
  std::vector<std::string> m_names;
  const Clock& m_clock;
  MarkChoice m_choice;
  MarkJoiner m_joiner;
  std::vector<BpfMark> m_marks;
  MonotonicTime m_lastSign;  // of life from the game
  Hello m_hello;
  std::uint64_t m_handedOutAt = 0;
  bool m_changed = false;
};

}  // namespace

Result<std::unique_ptr<FrameSource>, Unavailable> openBpfFrames(WatchTarget& target,
                                                                const std::vector<ProbeFile>& places,
                                                                const WatchOptions& options, const Clock& clock) {
  auto watch = BpfWatch::open(target, places, {.watch = options});
  if (!watch) return tl::unexpected(std::move(watch.error()));
  return std::make_unique<BpfFrames>(std::move(target), std::move(*watch), valuesOf(places, &ProbeFile::name),
                                     valuesOf(places, &ProbeFile::calls), options, clock);
}

}  // namespace faultline
