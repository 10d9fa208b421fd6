#include "platform/sampling/linux/watch/frame_marks.h"

#include <algorithm>
#include <ctime>
#include <utility>

#include "platform/sampling/linux/target/ring_file.h"
#include "platform/sampling/linux/watch/bpf/quality.h"

#define FAULTLINE_FRAME_LAYOUT_ONLY
#include "resources/faultline_frame.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;

constexpr Nanoseconds kInterval = 10ms;     // the ring holds 4096 frames
constexpr Nanoseconds kPerfInterval = 5ms;  // a ring of the usual size holds 470 samples
constexpr Nanoseconds kPromise = 2s;        // time that the game notes frames after the last renewal
constexpr Nanoseconds kLoading = 60s;       // the same until watching has begun, on a very busy machine
constexpr Nanoseconds kLookAgain = 20ms;    // between looks for a first mark
constexpr int kMostRecords = 2 * FAULTLINE_FRAME_RECORDS;

tl::unexpected<Error> noMarks(const WatchTarget& target, const std::string& mark) {
  const std::string process = "Process " + std::to_string(target.pid());
  if (!mark.empty()) return fail(process + " has set no frame mark called '" + mark + "'.");
  return fail(process +
              " marks no frames: it does not call faultline_frame() of faultline_frame.h. To assume frames of equal "
              "length instead, name a rate, such as --assume 60.");
}

}  // namespace

Result<std::unique_ptr<MarkedFrames>> MarkedFrames::open(WatchTarget target, const WatchOptions& options,
                                                         const Clock& clock) {
  const MonotonicTime end = clock.now() + options.patience;
  for (;;) {
    auto ring = findFrameRing(target, clock.now());
    if (!ring && clock.now() >= end) return tl::unexpected(ring.error());
    if (ring && *ring) {
      const auto mark = (*ring)->find(options.mark);
      if (mark && target.holdProgram())
        return std::unique_ptr<MarkedFrames>(
            new MarkedFrames(std::move(target), std::move(**ring), *mark, options.mark.empty(), clock));
    }
    if (target.exited())
      return fail("Process " + std::to_string(target.pid()) + " has exited without marking a frame.");
    if (clock.now() >= end) return noMarks(target, options.mark);
    const timespec pause{.tv_sec = 0, .tv_nsec = kLookAgain.count()};
    nanosleep(&pause, nullptr);
  }
}

// The game names the place, which is used only if it is code that the game has mapped from a file.
MarkedFrames::MarkedFrames(WatchTarget target, FrameRing ring, unsigned mark, bool mayChange, const Clock& clock)
    : m_target(std::move(target)),
      m_ring(std::move(ring)),
      m_mark(mark),
      m_mayChange(mayChange),
      m_clock(clock),
      m_noted(ProbeFile::openAt(m_target, m_ring.notedAt())),
      m_lastSign(clock.now()) {
  m_ring.watchUntil(m_lastSign + kLoading);
  m_hello = watchHello(m_target, kInterval);
  WatchedGame& game = *m_hello.watched;
  game.by = FrameEnd::OwnMarks;
  game.faults = exact("getrusage() by the game at each of its marks");
  lookForMarks();
}

// Where BPF programs give no single faults, perf events may, even without privileges.
void MarkedFrames::measureMore(const WatchOptions& options) {
  describe(options);
  WatchedGame& game = *m_hello.watched;
  if (options.samples == SampleMode::None || game.samples.grade != Grade::Unavailable) return;
  auto samples = PerfSamples::open(m_target, options.samples);
  if (!samples) return;  // the reason that BPF programs give stands
  m_samples.emplace(std::move(*samples));
  m_hello.interval = kPerfInterval;
  game.samples = m_samples->quality();
}

void MarkedFrames::describe(const WatchOptions& options) {
  const auto reason = lookOn(options);
  WatchedGame& game = *m_hello.watched;
  if (reason) {
    m_polls = ThreadPolls(m_target);
    game.faults.how += kPolledTimes;
    return describeBpfMissing(*reason, game);
  }
  describeBpfWatch(m_watch->abilities(), options.samples, options.delay, game);
  if (!m_watch->numbersMarks()) return;
  game.faults.how += "; the frame in which watching begins may contain a fault of each thread at the probe";
}

std::optional<Unavailable> MarkedFrames::lookOn(const WatchOptions& options) {
  std::vector<ProbeFile> places;  // empty: the game does not say where its marks can be probed
  if (m_noted) places.push_back(std::move(*m_noted));
  auto watch = BpfWatch::open(m_target, places, {.watch = options, .ownMarks = true});
  if (!watch) return std::move(watch.error());
  m_watch = std::move(*watch);
  m_watch->choose(m_mark);
  return std::nullopt;
}

void MarkedFrames::collect(GameFrameBatch& batch, FaultSampleBatch& samples) {
  m_ring.watchUntil(m_clock.now() + kPromise);
  const GameState state = lookAround();  // before the ring, so that no record from before the end is missing
  drain();
  measure(samples);
  if (m_samples) m_samples->collect(samples);
  const std::size_t before = batch.frames.size();
  while (const auto mark = m_pairing.next(!m_watch || state != GameState::Running))
    if (const auto frame = m_joiner.add(*mark, m_clock.now())) batch.frames.push_back(*frame);
  if (!m_watch) m_polls.tell(std::span(batch.frames).subspan(before), m_clock.now());
  batch.state = state;
  if (state == GameState::Exited) tellFaultsAfter(batch);
  batch.lost = m_joiner.lost();
  batch.invalidMarks = m_joiner.invalidMarks();
}

// The kernel's counts are those that the game notes, but end when its parent has waited for the game. A program at
// getrusage() also sees calls that are no marks.
void MarkedFrames::tellFaultsAfter(GameFrameBatch& batch) const {
  if (const auto faults = m_target.faults()) batch.faultsAfter = m_joiner.faultsAfter(faults->first, faults->second);
  else if (m_watch && m_watch->numbersMarks()) batch.faultsAfter = m_watch->faultsAfterMark();
}

bool MarkedFrames::helloChanged() {
  if (m_watch && m_watch->beginsToSkip()) {
    describeSkippedRuns(*m_hello.watched);
    if (m_samples) m_hello.watched->samples = m_samples->quality();
    m_changed = true;
  }
  return std::exchange(m_changed, false);
}

// A game may set the mark of its pictures later than another. Frames then begin anew.
void MarkedFrames::lookForMarks() {
  std::vector<std::string> names = m_ring.names();
  const auto better = m_mayChange ? m_ring.find({}) : std::nullopt;
  if (better && *better != m_mark) {
    m_mark = *better;
    m_pairing = {};
    m_numbering = {};
    m_joiner.restart();
    if (m_watch) m_watch->choose(m_mark);
  }
  std::erase(names, std::string());
  m_hello.watched->mark = m_ring.name(m_mark);
  m_hello.watched->marks = std::move(names);
}

GameState MarkedFrames::lookAround() {
  if (m_target.exited()) return GameState::Exited;
  if (m_watch && m_watch->programLeft()) return GameState::ProgramLeft;
  return m_clock.now() - m_lastSign < kQuiet ? GameState::Running : m_target.state();
}

void MarkedFrames::drain() {
  for (int records = 0; records < kMostRecords; ++records) {
    const auto record = m_ring.next();
    if (!record) return;
    if (record->mark > m_highest) {
      m_highest = record->mark;
      lookForMarks();
      m_changed = true;
    }
    if (record->mark != m_mark) continue;
    m_lastSign = m_clock.now();
    m_pairing.noted(record->frame);
    if (m_watch && !m_watch->numbersMarks()) m_numbering.noted(record->frame);
  }
}

// Call after drain(): the game reaches the probe only after it has noted a frame.
void MarkedFrames::measure(FaultSampleBatch& samples) {
  if (!m_watch) return;
  m_measured.clear();
  m_watch->collect(m_measured, samples);
  for (const BpfMark& mark : m_measured) {
    if (!m_watch->numbersMarks()) m_numbering.measured(mark.frame);
    else if (mark.place == m_mark) m_pairing.measured(mark.frame);
  }
  while (const auto mark = m_numbering.next()) m_pairing.measured(*mark);
  m_pairing.turn();
}

}  // namespace faultline
