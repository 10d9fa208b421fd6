#include "app/tray/session/recent_saver.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QStandardPaths>
#include <algorithm>
#include <memory>
#include <utility>

#include "platform/host/own_folder.h"

namespace faultline {
namespace {

QString spikeStem() {
  return QStringLiteral("spike");
}

// Newest first.
QFileInfoList savedSpikes(const QString& folder) {
  return QDir(folder).entryInfoList({spikeStem() + QStringLiteral("-*.faultline")}, QDir::Files | QDir::NoSymLinks,
                                    QDir::Time);
}

}  // namespace

QString ownDataFolder() {
  return QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) + QStringLiteral("/faultline");
}

RecentSaver::RecentSaver(const Session& session, const QString& folder, const SpikeLimits& limits)
    : m_session(session), m_folder(folder.isEmpty() ? ownDataFolder() : folder), m_limits(limits) {
  m_after.setSingleShot(true);
  m_after.setInterval(limits.after);
  connect(&m_after, &QTimer::timeout, this, &RecentSaver::saveSpikes);
}

void RecentSaver::save(Nanoseconds last, TellSaved tell) {
  saveSince(m_session.recent().newest().value_or(MonotonicTime()) - last, std::move(tell));
}

void RecentSaver::saveSince(MonotonicTime from, TellSaved tell) {
  if (!m_session.recent().newest()) return tell(fail(tr("Nothing has been measured yet.").toStdString()));
  write(m_session.recent().since(from), from, QStringLiteral("faultline"), std::move(tell));
}

void RecentSaver::spikeEnded(const Spike& spike, TellSaved tell) {
  const MonotonicTime from = spike.start - kBeforeSpike;
  m_from = m_after.isActive() ? std::min(m_from, from) : from;
  m_tell = std::move(tell);
  if (!m_after.isActive()) m_after.start();
}

void RecentSaver::saveSpikes() {
  RecentReader recent = m_session.recent().since(m_from);
  if (recent.empty()) return;
  if (!mayToday(recent.mostBytes()))
    return m_tell(tr("A spike is not saved: the files of today's spikes would be more than %1, or %2 MB.")
                      .arg(m_limits.files)
                      .arg(m_limits.bytes / 1'000'000));
  write(std::move(recent), m_from, spikeStem(), [this, tell = m_tell](const Result<QString>& saved) {
    removeOldest();
    tell(saved);
  });
}

// By the files, so that another start of this program begins no new day.
bool RecentSaver::mayToday(std::size_t bytes) const {
  qsizetype files = 1;
  auto sum = static_cast<qint64>(bytes);
  for (const QFileInfo& file : savedSpikes(m_folder)) {
    if (file.lastModified().date() != QDate::currentDate()) continue;
    ++files;
    sum += file.size();
  }
  return files <= m_limits.files && sum <= m_limits.bytes;
}

void RecentSaver::removeOldest() const {
  const QFileInfoList files = savedSpikes(m_folder);
  for (qsizetype i = m_limits.kept; i < files.size(); ++i) QFile::remove(files[i].filePath());
}

void RecentSaver::write(RecentReader recent, MonotonicTime from, const QString& stem, TellSaved tell) {
  if (!makeOwnFolder(m_folder.toStdU16String()))
    return tell(fail(tr("%1 cannot be made, or is another user's.").arg(m_folder).toStdString()));
  const QString time = QDateTime::currentDateTime().toString(QStringLiteral("-yyyyMMdd-HHmmss"));
  const auto reader = std::make_shared<RecentReader>(std::move(recent));
  const QString file = QDir(m_folder).filePath(stem + time + QStringLiteral(".faultline"));
  saveInTurns(
      this, file, true, [reader](std::string& out) { return reader->next(out) ? Piece::More : Piece::Last; },
      std::move(tell));
  Q_EMIT saving(from, file);
}

}  // namespace faultline
