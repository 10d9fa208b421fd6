#include "platform/sampling/linux/watch/perf_samples.h"

#include <algorithm>
#include <string>
#include <utility>

namespace faultline {

void WholeFaults::begin(PerfGame& game) {
  for (PerfProcessor& processor : game.processors())
    if (processor.whole) processor.unreadWhole = processor.whole->unread();
}

void WholeFaults::take(PerfGame& game, MonotonicTime left, FaultSampleBatch& samples) {
  for (PerfProcessor& processor : game.processors())
    if (processor.whole) takeFrom(processor, game, left, samples);
  samples.lost = m_lost;
}

void WholeFaults::takeFrom(PerfProcessor& processor, PerfGame& game, MonotonicTime left, FaultSampleBatch& samples) {
  forEachPerfRecord(processor.unreadWhole, [&](const PerfRecord& record) {
    if (record.type == kPerfLost) m_lost += lostPerfRecords(record);
    if (record.type != kPerfSample) return;
    const auto note = parsePerfNote(record);
    const auto meaning = note ? game.meaning(*note) : std::nullopt;
    auto fault = meaning ? parsePerfFault(record, game.registers()) : std::nullopt;
    if (!fault || fault->time >= left) return;
    fault->threadName = game.names().of(fault->thread);
    fault->major = meaning->isMajor();
    fault->weight = fault->major || m_mode == SampleMode::All ? 1 : kSampleEvery;
    samples.samples.push_back(std::move(*fault));
  });
  processor.whole->release(processor.unreadWhole);
}

Quality WholeFaults::quality(const PerfGame& game) const {
  if (m_mode == SampleMode::None) return unavailable("Not requested");
  const char* const which = m_mode == SampleMode::All ? "every fault" : "every 16th fault, and every major fault";
  Quality quality = exact(std::string("Perf events: ") + which + ", with registers and " +
                          std::to_string(stackBytesOf(m_mode) / 1024) + " KiB of its stack, but without its mapping");
  if (game.seesKernel()) return quality;
  quality.grade = Grade::Estimated;
  quality.how += ". Faults inside the kernel, such as when the game reads a file into fresh memory, are not sampled";
  quality.enable = "A collector with cap_perfmon.";
  return quality;
}

// With cap_perfmon in effect the kernel opens events of any process that has the pid by now: they are read only if that
// was the game all the time.
Result<PerfSamples> PerfSamples::open(const WatchTarget& target, SampleMode mode) {
  auto game = PerfGame::open({.pid = target.pid(), .functions = {}, .samples = mode, .counts = false}, target.folder());
  if (!game) return tl::unexpected(game.error());
  if (!target.isStillHeld())
    return fail("The process has ended or become another program, or the kernel does not say.");
  return PerfSamples(std::move(*game), target.pid(), mode);
}

void PerfSamples::collect(FaultSampleBatch& samples) {
  WholeFaults::begin(m_game);
  for (PerfProcessor& processor : m_game.processors()) {
    if (!processor.faults) continue;
    const PerfUnread unread = processor.faults->unread();
    forEachPerfRecord(unread, [&](const PerfRecord& record) {
      if (const auto left = parsePerfExec(record, m_pid)) m_left = std::min(m_left, *left);
      m_game.names().learn(record);
    });
    processor.faults->release(unread);
  }
  m_faults.take(m_game, m_left, samples);
}

}  // namespace faultline
