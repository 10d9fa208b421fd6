#include "platform/sampling/linux/watch/frame_perf.h"

#include <utility>

#include "platform/sampling/linux/facts/quality.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;

constexpr Nanoseconds kRingInterval = 5ms;  // a ring of the usual size holds 30 ms of a processor's faults
constexpr std::uint64_t kMostRecord = 256;  // bytes of a fault's record and of one of losses, at most
constexpr Nanoseconds kTellAgain = 1s;      // between Hellos with the number of lost faults

}  // namespace

// With cap_perfmon in effect the kernel opens events of any process that has the pid by now: they are read only if that
// was the game all the time.
Result<std::unique_ptr<FrameSource>> PerfFrames::open(WatchTarget target, const WatchOptions& options,
                                                      const std::vector<ProbeFile>& functions, const Clock& clock,
                                                      const Unavailable& whole) {
  auto game = PerfGame::open(
      {.pid = target.pid(), .functions = valuesOf(functions, &ProbeFile::address), .samples = options.samples},
      target.folder());
  if (!game) return tl::unexpected(game.error());
  if (!target.isStillHeld())
    return fail("Process " + std::to_string(target.pid()) +
                " has ended or become another program, or the kernel does not say. Watch it again.");
  std::unique_ptr<PerfFrames> source(
      new PerfFrames(std::move(target), std::move(*game), functions, options.samples, clock));
  source->m_whole = whole;
  return source;
}

PerfFrames::PerfFrames(WatchTarget target, PerfGame game, const std::vector<ProbeFile>& functions, SampleMode samples,
                       const Clock& clock)
    : m_target(std::move(target)),
      m_game(std::move(game)),
      m_names(valuesOf(functions, &ProbeFile::name)),
      m_samples(samples),
      m_polls(m_target),
      m_clock(clock),
      m_hello(watchHello(m_target, kRingInterval)),
      m_joiner(valuesOf(functions, &ProbeFile::calls)),
      m_begun(clock.now()),
      m_drained(m_begun),
      m_lastSign(m_drained),
      m_toldAt(m_drained) {}

Hello PerfFrames::hello() const {
  Hello hello = m_hello;
  WatchedGame& watched = hello.watched ? *hello.watched : hello.watched.emplace();
  watched.by = FrameEnd::Function;
  if (m_told.chosen) watched.mark = m_names[*m_told.chosen];
  watched.faults = faultQuality();
  for (const FrameQuality& row : kFurtherFrameQualities)
    watched.*row.quality =
        unavailable("Perf events do not report " + std::string(row.numbers) + ". " + m_whole.why, m_whole.enable);
  watched.faultTime =
      unavailable("Perf events report the end of a fault, but not its beginning. " + m_whole.why, m_whole.enable);
  watched.faultParts = watched.faultEfforts = watched.faultTime;
  watched.teardown = unavailable("Perf events do not report when memory is given back. " + m_whole.why, m_whole.enable);
  watched.path =
      unavailable("Perf events do not report for which thread another one waits. " + m_whole.why, m_whole.enable);
  watched.samples = m_samples.quality(m_game);
  return hello;
}

Quality PerfFrames::faultQuality() const {
  Quality quality = exact(
      "Perf events: every fault and every call of the function, with its time. Pages populated in advance "
      "(MAP_POPULATE), which count as faults of the process, are not reported");
  if (!m_game.seesKernel()) {
    quality.grade = Grade::Estimated;
    quality.how += ". Nor are faults inside the kernel, such as when the game reads a file into fresh memory";
    quality.enable = "A collector with cap_perfmon.";
  }
  if (!m_game.seesAllThreads()) {
    quality.grade = Grade::Estimated;
    quality.how += ". Some threads may be missing, because the game created threads all the time while watching began";
  }
  if (m_told.misplaced > 0) {
    quality.grade = Grade::Estimated;
    quality.how += ". " + std::to_string(m_told.misplaced) +
                   " faults found no room in the buffer and may be counted in the wrong frame";
  } else if (m_told.full) {
    quality.grade = Grade::Estimated;
    quality.how += ". The buffer was full for a time, and some faults may be missing";
  }
  if (m_game.functions() < m_names.size())
    quality.how += ". The processor can watch " + std::to_string(m_game.functions()) + " of " +
                   std::to_string(m_names.size()) + " functions";
  quality.how += kPolledTimes;
  return quality;
}

bool PerfFrames::helloChanged() {
  const Told now{.chosen = m_joiner.chosen(), .misplaced = m_joiner.misplaced(), .full = m_full};
  if (now == m_told) return false;
  const bool due = now.chosen != m_told.chosen || now.full != m_told.full || m_told.misplaced == 0 ||
                   m_clock.now() - m_toldAt >= kTellAgain;
  if (!due) return false;
  m_told = now;
  m_toldAt = m_clock.now();
  return true;
}

// The clock is read before and after all rings. Records from before the first reading are complete after the second;
// only these become frames. Whole faults are read last, but only up to their number before: the name of the thread may
// be in another processor's ring, which has been read by then.
void PerfFrames::collect(GameFrameBatch& batch, FaultSampleBatch& samples) {
  const MonotonicTime begun = m_clock.now();
  batch.state = lookAround(begun);  // before the rings, so that no record from before the end is missing
  WholeFaults::begin(m_game);
  for (PerfProcessor& processor : m_game.processors()) {
    drainCalls(processor);
    drainFaults(processor);
  }
  m_samples.take(m_game, m_left, samples);
  const MonotonicTime now = m_clock.now();
  const std::size_t before = batch.frames.size();
  m_joiner.finish(std::min(batch.state == GameState::Running ? m_drained : now, m_left), now, batch);
  m_drained = begun;
  batch.faultsAfter = batch.state == GameState::Exited ? m_joiner.faultsAfter() : std::nullopt;
  if (batch.frames.size() > before) m_lastSign = now;
  m_polls.tell(std::span(batch.frames).subspan(before), now);
}

GameState PerfFrames::lookAround(MonotonicTime now) {
  if (m_target.exited()) return GameState::Exited;
  return now - m_lastSign < kQuiet ? GameState::Running : m_target.state();
}

// Records are lost while a ring is full, so at about the time of its last record. The loss is reported before the next
// record.
void PerfFrames::drainFaults(PerfProcessor& processor) {
  if (!processor.faults) return;
  const PerfUnread unread = processor.faults->unread();
  m_full = m_full || unread.room() < kMostRecord;
  forEachPerfRecord(unread, [&](const PerfRecord& record) {
    if (record.type == kPerfLost)
      m_joiner.addLostFaults(processor.lastFault.value_or(m_drained), lostPerfRecords(record));
    if (const auto left = parsePerfExec(record, m_target.pid())) m_left = std::min(m_left, *left);
    if (record.type != kPerfSample) return m_game.names().learn(record);
    const auto note = parsePerfNote(record);
    const auto meaning = note ? m_game.meaning(*note) : std::nullopt;
    if (!meaning) return;
    processor.lastFault = note->time;
    m_joiner.add(FaultNote{.time = note->time, .thread = note->thread, .major = meaning->isMajor()});
  });
  processor.faults->release(unread);
}

void PerfFrames::drainCalls(PerfProcessor& processor) {
  if (!processor.calls) return;
  const PerfUnread unread = processor.calls->unread();
  forEachPerfRecord(unread, [&](const PerfRecord& record) {
    if (record.type == kPerfLost) m_joiner.addLostCalls(processor.lastCall.value_or(m_begun), lostPerfRecords(record));
    if (record.type != kPerfSample) return;
    const auto note = parsePerfNote(record);
    const auto meaning = note ? m_game.meaning(*note) : std::nullopt;
    if (meaning) processor.lastCall = note->time;
    if (meaning && note->time >= m_begun)
      m_joiner.add(FunctionCall{.time = note->time, .thread = note->thread, .candidate = meaning->function});
  });
  processor.calls->release(unread);
}

}  // namespace faultline
