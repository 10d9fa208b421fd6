#include "core/frames/files/recorded_frames.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "core/base/file_text.h"
#include "core/frames/files/sweep_slots.h"
#include "core/join/csv_rows.h"
#include "core/join/frame_times.h"
#include "core/stream/decoder.h"

namespace faultline {
namespace {

constexpr std::size_t kPiece = std::size_t{256} << 10U;
constexpr std::string_view kPreamble = "FAULTLINE\n";

Error nothing(bool swept, std::optional<std::uint32_t> pid) {
  if (pid) return {"has no data about process " + std::to_string(*pid) + "."};
  if (swept) return {"has data about all processes: name the game's with --pid."};
  return {"has no frames of a game."};
}

// As the sweeps know the numbers of a process.
void setQualities(const Hello& hello, WatchedGame& game) {
  using enum ProcessMetric;
  game.faults = hello.quality(MinorFaults);
  game.zeroed = hello.quality(ZeroedBytes);
  game.faultTime = hello.quality(FaultTime);
  game.faultParts = hello.quality(FaultTimeOnProcessor);
  game.faultEfforts = hello.quality(FaultTimeInReclaim);
  game.teardown = hello.quality(TeardownTime);
  game.freed = hello.quality(FreedBytes);
}

// Collects the data about one process from a stream.
class Collection {
 public:
  explicit Collection(std::optional<std::uint32_t> pid) : m_pid(pid), m_sweeps(pid.value_or(0)) {}

  void take(const StreamEvent& event) {
    if (const auto* hello = std::get_if<Hello>(&event)) take(*hello);
    if (const auto* batch = std::get_if<const GameFrameBatch*>(&event); batch != nullptr && m_wanted)
      m_found.slots.insert(m_found.slots.end(), (*batch)->frames.begin(), (*batch)->frames.end());
    if (const auto* snapshot = std::get_if<const Snapshot*>(&event)) {
      m_swept = true;
      m_sweeps.add(**snapshot);
      m_found.clocks = ClockPair{(*snapshot)->time, (*snapshot)->wallTime};
    }
    m_ended = std::holds_alternative<StreamEnd>(event) || (m_ended && std::holds_alternative<NeedMoreBytes>(event));
  }

  [[nodiscard]] Result<RecordedFrames> finish(bool damaged) {
    m_found.cut = damaged || !m_ended;
    if (m_swept && m_pid) {
      m_found.kind = SlotKind::Sweeps;
      m_found.slots = m_sweeps.slots();
      m_found.watched = m_ofSweeps;
      m_found.watched.pid = *m_pid;
      m_found.watched.name = m_sweeps.name();
    }
    if (m_found.slots.empty()) return tl::unexpected(nothing(m_swept, m_pid));
    return std::move(m_found);
  }

 private:
  void take(const Hello& hello) {
    m_found.clock = hello.clock;
    setQualities(hello, m_ofSweeps);
    m_sweeps.add(hello);
    if (!hello.watched) return;
    m_wanted = !m_pid || *m_pid == hello.watched->pid;
    if (!m_wanted) return;
    m_found.watched = *hello.watched;
    m_found.kind = hello.watched->by == FrameEnd::AssumedRate ? SlotKind::Assumed : SlotKind::Frames;
  }

  std::optional<std::uint32_t> m_pid;
  SweepSlots m_sweeps;
  RecordedFrames m_found;
  WatchedGame m_ofSweeps;  // the qualities
  bool m_wanted = false;   // the following frames belong to the requested process
  bool m_swept = false;
  bool m_ended = false;
};

Result<RecordedFrames> readStream(std::istream& file, std::string text, std::optional<std::uint32_t> pid) {
  Collection collection(pid);
  Decoder decoder;
  bool damaged = false;
  while (!text.empty()) {
    decoder.feed(std::as_bytes(std::span(text)));
    for (;;) {
      const auto event = decoder.next();
      if (!event && decoder.failed()) return fail("cannot be read: " + event.error().message);
      damaged |= !event;
      if (!event) continue;
      collection.take(*event);
      if (std::holds_alternative<NeedMoreBytes>(*event)) break;
    }
    text.resize(kPiece);
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(file.gcount()));
  }
  return collection.finish(damaged || decoder.bytesPending() > 0);
}

std::optional<std::uint64_t> wholeNumber(std::optional<double> value) {
  constexpr double kMost = 9e18;
  if (!value || *value < 0 || *value > kMost) return std::nullopt;
  return static_cast<std::uint64_t>(std::llround(*value));
}

// Reads the CSV of frames.
Result<RecordedFrames> readCsv(std::istream& file, std::string text) {
  const auto rest = restOf(file);
  if (!rest) return tl::unexpected(rest.error());
  text += *rest;
  CsvRows rows(text);
  const auto* first = rows.next();
  const std::vector<std::string_view> head = first != nullptr ? *first : std::vector<std::string_view>();
  const auto startColumn = findColumn(head, "start_ns");
  const auto durationColumn = findColumn(head, "duration_ns");
  const auto minorColumn = findColumn(head, field(FrameMetric::MinorFaults).name);
  if (!startColumn || !durationColumn || !minorColumn)
    return fail("is neither a Faultline recording nor a CSV file of its frames.");
  std::vector<std::pair<FrameMetric, std::size_t>> columns;  // files of older versions lack some
  for (const FrameField& row : kFrameFields)
    if (const auto column = row.name.empty() ? std::nullopt : findColumn(head, row.name))
      columns.emplace_back(row.metric, *column);
  RecordedFrames found;
  while (const auto* row = rows.next()) {
    const auto start = wholeNumber(csvNumber(*row, *startColumn));
    const auto duration = wholeNumber(csvNumber(*row, *durationColumn));
    if (!start || !duration || !csvNumber(*row, *minorColumn)) {
      found.cut = true;
      continue;
    }
    GameFrame& frame = found.slots.emplace_back();
    frame.number = found.slots.size();
    frame.start = {Nanoseconds(static_cast<std::int64_t>(std::min<std::uint64_t>(*start, kLatest.count())))};
    frame.duration = Nanoseconds(static_cast<std::int64_t>(std::min<std::uint64_t>(*duration, kLatest.count())));
    for (const auto& [metric, column] : columns) frame.values.set(metric, wholeNumber(csvNumber(*row, column)));
    frame.values.setTimedFaults(frame.get(FrameMetric::TimedFaults));
    frame.values.clearIncomplete();
  }
  if (found.slots.empty()) return fail("has no frames.");
  return found;
}

}  // namespace

Result<RecordedFrames> readRecordedFrames(std::istream& file, std::optional<std::uint32_t> pid) {
  std::string text(kPreamble.size(), '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text == kPreamble ? readStream(file, std::move(text), pid) : readCsv(file, std::move(text));
}

}  // namespace faultline
