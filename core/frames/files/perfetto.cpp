// Moments, ranges and frames as Perfetto traces: a slice per frame, one per sampled fault in a row of its thread, and
// counters, each process with tracks of its own.
#include <concepts>
#include <optional>

#include "core/frames/files/formats.h"
#include "core/perfetto/fault_rows.h"
#include "core/perfetto/trace.h"
#include "core/text/utf8.h"

namespace faultline {
namespace {

std::string nameOf(ProcessMetric metric) {
  const auto& row = field(metric);
  return std::string(row.title) + (row.kind == MetricKind::Counter ? " per second" : "");
}

class PerfettoMoments final : public MomentExporter {
 public:
  void add(const Moment& moment, std::string& out) override {
    m_trace.setClocks(moment.time, moment.wallTime, out);
    for (const ProcessRow& row : moment.rows) {
      const std::uint64_t process = m_trace.process(row.key, row.name, out);
      for (const ProcessMetric metric : kKeptMetrics) {
        const bool rate = field(metric).kind == MetricKind::Counter;
        const auto level = row.values.get(metric);
        const auto value = rate    ? moment.perSecond(row.deltas.get(metric))
                           : level ? std::optional(static_cast<double>(*level))
                                   : std::nullopt;
        if (value) m_trace.count(process, nameOf(metric), field(metric).unit, moment.time, *value, out);
      }
    }
  }

 private:
  PerfettoTrace m_trace;
};

class PerfettoRange final : public RangeExporter {
 public:
  void add(const ProcessRange& range, std::string& out) override {
    m_trace.setClocks(range.from, range.history.wall(range.from), out);
    const std::string name = range.history.name(range.key).value_or(std::string());
    const std::uint64_t process = m_trace.process(range.key, name, out);
    for (const Stretch& stretch : range.history.stretches(range.key, range.from, range.to))
      for (const ProcessMetric metric : kKeptMetrics)
        if (const auto& known = stretch.of(metric); known && known->rated)
          m_trace.count(process, nameOf(metric), field(metric).unit, stretch.start, double{known->mean}, out);
  }

 private:
  PerfettoTrace m_trace;
};

class PerfettoFrames final : public FrameExporter {
 public:
  void begin(const ExportedGame& game, std::string& /*out*/) override { m_watched = game.watched; }
  void add(const ExportedFrame& exported, std::string& out) override {
    const GameFrame& frame = exported.frame;
    m_trace.setClocks(frame.start, std::nullopt, out);
    const std::uint64_t process = m_trace.process({m_watched.pid, 0}, m_watched.name, out);
    const std::uint64_t row = m_trace.slices(process, "Frames of thread " + std::to_string(frame.thread), out);
    ProtobufMessage begin = perfettoEvent(frameTitle(exported.verdict), "frame");
    forEachColumn(frame, exported.verdict, [&](std::string_view name, const auto& value) {
      if (!value) return;
      constexpr bool kReal = std::floating_point<std::remove_cvref_t<decltype(*value)>>;
      addNote(begin, name, kReal ? 5 : 4, *value);
    });
    if (const auto behind = frame.values.waitedBehind())
      addNote(begin, "waiting_behind", 6, validUtf8(behind->program));
    if (!exported.culprit.empty()) addNote(begin, "culprit", 6, validUtf8(exported.culprit));
    m_trace.addEvent(PerfettoEvent::SliceBegin, row, begin, frame.start, out);
    const auto count = [&](const char* name, std::uint64_t faults) {
      m_trace.count(process, name, Unit::Count, frame.start, static_cast<double>(faults), out);
    };
    count("Minor faults per frame", frame.minorFaults());
    if (frame.majorFaults()) count("Major faults per frame", *frame.majorFaults());
    ProtobufMessage end;
    m_trace.addEvent(PerfettoEvent::SliceEnd, row, end, frame.end(), out);
    for (const FaultSample& sample : exported.samples) m_faults.add(sample, process, m_trace, out);
  }

 private:
  WatchedGame m_watched;
  PerfettoTrace m_trace;
  FaultRows m_faults;
};

}  // namespace

std::unique_ptr<MomentExporter> perfettoMoments() {
  return std::make_unique<PerfettoMoments>();
}

std::unique_ptr<RangeExporter> perfettoRange() {
  return std::make_unique<PerfettoRange>();
}

std::unique_ptr<FrameExporter> perfettoFrames() {
  return std::make_unique<PerfettoFrames>();
}

}  // namespace faultline
