#include "app/tray/replay_source.h"

#include <QElapsedTimer>
#include <QFileInfo>
#include <span>

namespace faultline {

namespace {

constexpr qsizetype kReadBytes = 64 << 10;

}  // namespace

ReplaySource::ReplaySource(QObject* parent) : QObject(parent), m_buffer(kReadBytes, Qt::Uninitialized) {
  connect(&m_slice, &QTimer::timeout, this, &ReplaySource::readSlice);
}

Result<void> ReplaySource::open(const QString& fileName) {
  m_file.setFileName(fileName);
  if (QFileInfo(fileName).isDir()) return fail(tr("%1 is a folder, not a recording.").arg(fileName).toStdString());
  if (!m_file.open(QIODevice::ReadOnly | QIODevice::Unbuffered))
    return fail(tr("%1 cannot be opened: %2.").arg(fileName, m_file.errorString()).toStdString());
  m_slice.start(0);
  return {};
}

void ReplaySource::cancel() {
  if (!m_done) finish(tr("Reading was cancelled: this is its beginning only."));
}

double ReplaySource::progress() const {
  const qint64 size = m_file.size();
  if (m_done || size <= 0) return 1;
  return static_cast<double>(m_file.pos()) / static_cast<double>(size);
}

bool ReplaySource::readMore() {
  const qint64 count = m_file.read(m_buffer.data(), m_buffer.size());
  if (count <= 0) return false;
  m_decoder.feed(std::as_bytes(std::span(m_buffer.constData(), static_cast<std::size_t>(count))));
  return true;
}

void ReplaySource::readSlice() {
  QElapsedTimer spent;
  spent.start();
  while (!m_done && !spent.hasExpired(kSliceMs)) {
    const Result<StreamEvent> event = m_decoder.next();
    if (!event) {
      damaged(event.error());
      continue;
    }
    m_pendingAtError.reset();
    if (const auto* snapshotEvent = std::get_if<const Snapshot*>(&*event)) {
      ++m_snapshots;
      Q_EMIT snapshot(**snapshotEvent);
    } else if (const auto* helloEvent = std::get_if<Hello>(&*event)) {
      Q_EMIT hello(*helloEvent);
    } else if (std::holds_alternative<StreamEnd>(*event)) {
      m_ended = true;
      if (!readMore()) finish({});
    } else if (!readMore()) {
      finish(m_ended && m_decoder.bytesPending() == 0 ? QString() : tr("It is cut off: its end is missing."));
    }
  }
}

// Damage is passed over; what no later byte can mend is repeated.
void ReplaySource::damaged(const Error& error) {
  if (m_pendingAtError == m_decoder.bytesPending()) return finish(QString::fromStdString(error.message));
  m_pendingAtError = m_decoder.bytesPending();
  m_damage = QString::fromStdString(error.message);
}

void ReplaySource::finish(const QString& trouble) {
  m_slice.stop();
  m_done = true;
  m_trouble = trouble.isEmpty() ? m_damage : trouble;
  m_file.close();
  Q_EMIT finished();
}

}  // namespace faultline
