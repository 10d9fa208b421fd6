#include "app/tray/beside/second.h"

#include <utility>

namespace faultline {
namespace {

constexpr qint64 kChangedMs = 100;
constexpr std::size_t kBudgetBytes = HistoryOptions().budgetBytes / 2;

}  // namespace

SecondRecording::SecondRecording(QObject* parent) : QObject(parent), m_monitor(emptyMonitor()) {
  ReplaySource& source = m_recording.source;
  connect(&source, &ReplaySource::hello, this,
          [this](const Hello& hello) { m_recording.filled(m_monitor).ingest(hello); });
  connect(&source, &ReplaySource::snapshot, this, &SecondRecording::ingest);
  connect(&source, &ReplaySource::passed, this, &SecondRecording::passed);
  connect(&source, &ReplaySource::finished, this, &SecondRecording::finished);
}

Result<void> SecondRecording::open(const QString& file) {
  return m_recording.source.open(file, true);
}

// Nothing shows its spikes.
Monitor SecondRecording::emptyMonitor() const {
  MonitorOptions options;
  options.history.budgetBytes = kBudgetBytes;
  options.findsSpikes = false;
  return Monitor(options);
}

void SecondRecording::ingest(const Snapshot& snapshot, std::optional<Nanoseconds> skipped) {
  m_recording.ingest(m_monitor, snapshot, skipped);
  if (m_sinceChanged.isValid() && !m_sinceChanged.hasExpired(kChangedMs)) return;
  m_sinceChanged.start();
  Q_EMIT changed();
}

void SecondRecording::layCloseUp(std::unique_ptr<History::CloseUp> closeUp) {
  m_monitor.layCloseUp(std::move(closeUp));
  Q_EMIT changed();
}

void SecondRecording::passed() {
  m_recording.showFilled(m_monitor);
  m_recording.step.reset();
  m_recording.filling = emptyMonitor();
  Q_EMIT changed();
}

void SecondRecording::finished() {
  m_recording.showFilled(m_monitor);
  m_read = true;
  if (m_monitor.snapshots() > 0) return Q_EMIT changed();
  const QString why = m_recording.source.trouble();
  Q_EMIT failed(why.isEmpty() ? tr("The file contains no snapshot.") : why);
}

QString SecondRecording::remark(const QString& name) const {
  return m_read ? m_recording.remark() : m_recording.readingText(name);
}

}  // namespace faultline
