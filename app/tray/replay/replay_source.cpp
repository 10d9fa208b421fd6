#include "app/tray/replay/replay_source.h"

#include <QElapsedTimer>
#include <QFile>
#include <filesystem>

namespace faultline {

ReplaySource::ReplaySource(QObject* parent) : QObject(parent) {
  connect(&m_slice, &QTimer::timeout, this, &ReplaySource::readSlice);
}

Result<void> ReplaySource::open(const QString& fileName, bool overview) {
  m_fileName = fileName;
  const std::filesystem::path path(fileName.toStdU16String());
  Result<RecordingFile> reader = RecordingFile::open(path);
  if (!reader) return tl::unexpected(std::move(reader.error()));
  m_reader = std::move(*reader);
  if (overview && m_reader->bytesTotal().value_or(0) >= kLongRecording) {
    if (Result<Overview> opened = Overview::open(path)) {
      m_overview = std::move(*opened);
      m_spikes = m_overview->spikes();
    }
  }
  m_slice.start(0);
  return {};
}

void ReplaySource::cancel() {
  if (!m_done) finish(tr("Reading was cancelled: only the beginning is shown."));
}

double ReplaySource::progress() const {
  const auto total = m_reader ? m_reader->bytesTotal() : std::nullopt;
  if (m_done || total.value_or(0) == 0) return 1;
  return static_cast<double>(m_reader->bytesRead()) / static_cast<double>(*total);
}

void ReplaySource::readSlice() {
  QElapsedTimer spent;
  spent.start();
  while (!m_done && !spent.hasExpired(kSliceMs)) m_overview ? skimNext() : readNext();
}

void ReplaySource::readNext() {
  const Result<RecordingEvent> event = m_reader->next();
  if (!event) {
    finish(QString::fromStdString(event.error().message));
  } else if (const auto* snapshotEvent = std::get_if<const Snapshot*>(&*event)) {
    Q_EMIT snapshot(**snapshotEvent, std::nullopt);
  } else if (const auto* helloEvent = std::get_if<Hello>(&*event)) {
    Q_EMIT hello(*helloEvent);
  } else if (std::holds_alternative<const GameFrameBatch*>(*event) ||
             std::holds_alternative<const FaultSampleBatch*>(*event)) {
    Q_EMIT ofGame(streamEvent(*event));
  } else if (std::holds_alternative<RecordingEnd>(*event)) {
    finish(QString::fromStdString(m_reader->remark()));
  }
}

void ReplaySource::skimNext() {
  const OverviewEvent event = m_overview->next();
  if (const auto* skimmed = std::get_if<Skimmed>(&event)) {
    Q_EMIT snapshot(*skimmed->snapshot, skimmed->step);
  } else if (const auto* helloEvent = std::get_if<Hello>(&event)) {
    Q_EMIT hello(*helloEvent);
  } else if (std::holds_alternative<PassEnd>(event)) {
    if (m_overview->done()) m_overview.reset();
    Q_EMIT passed();
  }
}

void ReplaySource::finish(const QString& trouble) {
  m_slice.stop();
  m_done = true;
  m_trouble = trouble;
  Q_EMIT finished();
}

}  // namespace faultline
