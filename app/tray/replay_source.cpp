#include "app/tray/replay_source.h"

#include <QElapsedTimer>
#include <QFile>
#include <filesystem>

namespace faultline {

ReplaySource::ReplaySource(QObject* parent) : QObject(parent) {
  connect(&m_slice, &QTimer::timeout, this, &ReplaySource::readSlice);
}

Result<void> ReplaySource::open(const QString& fileName) {
  m_fileName = fileName;
  Result<RecordingFile> reader = RecordingFile::open(std::filesystem::path(fileName.toStdU16String()));
  if (!reader) return tl::unexpected(std::move(reader.error()));
  m_reader = std::move(*reader);
  m_slice.start(0);
  return {};
}

void ReplaySource::cancel() {
  if (!m_done) finish(tr("Reading was cancelled: this is its beginning only."));
}

double ReplaySource::progress() const {
  const auto total = m_reader ? m_reader->bytesTotal() : std::nullopt;
  if (m_done || total.value_or(0) == 0) return 1;
  return static_cast<double>(m_reader->bytesRead()) / static_cast<double>(*total);
}

void ReplaySource::readSlice() {
  QElapsedTimer spent;
  spent.start();
  while (!m_done && !spent.hasExpired(kSliceMs)) {
    const Result<RecordingEvent> event = m_reader->next();
    if (!event) {
      finish(QString::fromStdString(event.error().message));
    } else if (const auto* snapshotEvent = std::get_if<const Snapshot*>(&*event)) {
      Q_EMIT snapshot(**snapshotEvent);
    } else if (const auto* helloEvent = std::get_if<Hello>(&*event)) {
      m_hello = *helloEvent;
      Q_EMIT hello(*helloEvent);
    } else if (std::holds_alternative<RecordingEnd>(*event)) {
      finish(QString::fromStdString(m_reader->remark()));
    }
  }
}

void ReplaySource::finish(const QString& trouble) {
  m_slice.stop();
  m_done = true;
  m_trouble = trouble;
  Q_EMIT finished();
}

std::optional<Moment> ReplaySource::momentAt(MonotonicTime time) {
  if (!m_done || !m_reader) return std::nullopt;
  Snapshot previous;
  Snapshot current;
  bool hasPrevious = false;
  if (!readPair(time, time, previous, hasPrevious, current)) return std::nullopt;
  // A key frame itself: its predecessor lies behind the key frame before it.
  if (!hasPrevious) readPair(current.time - Nanoseconds(1), time, previous, hasPrevious, current);
  std::optional<Moment> moment(std::in_place);
  derive(m_hello, hasPrevious ? &previous : nullptr, current, *moment);
  return moment;
}

// The last snapshot at or before `time`, and the one before it, reading on from the key frame at or before `from`.
bool ReplaySource::readPair(MonotonicTime from, MonotonicTime time, Snapshot& previous, bool& hasPrevious,
                            Snapshot& current) {
  if (!m_reader->seek(from)) return false;
  int found = 0;
  for (;;) {
    const Result<RecordingEvent> event = m_reader->next();
    if (!event || std::holds_alternative<RecordingEnd>(*event)) break;
    const auto* snapshotEvent = std::get_if<const Snapshot*>(&*event);
    if (snapshotEvent == nullptr) continue;
    if ((*snapshotEvent)->time > time) break;
    if (found > 0) std::swap(previous, current);
    current = **snapshotEvent;
    ++found;
  }
  hasPrevious = found > 1;
  return found > 0;
}

}  // namespace faultline
