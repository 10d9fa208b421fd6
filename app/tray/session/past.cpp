#include "app/tray/session/past.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <filesystem>
#include <system_error>
#include <utility>

#include "app/tray/session/recent_saver.h"
#include "app/tray/widgets/local_time.h"
#include "core/recording/recording.h"
#include "platform/host/own_folder.h"
#include "platform/host/processes.h"
#include "platform/host/recorded_file.h"

namespace faultline {
namespace {

constexpr const char* kRing = "past.faultline";
constexpr const char* kEarlier = "earlier.faultline";
constexpr const char* kDraft = "earlier.draft";
constexpr const char* kLock = "past.lock";

std::filesystem::path native(const QString& file) {
  return file.toStdU16String();
}

// Of the first snapshot; invalid: there is none.
QDateTime beginOf(const QString& file) {
  auto recording = RecordingFile::open(native(file));
  while (recording) {
    const auto event = recording->next();
    if (!event || std::holds_alternative<RecordingEnd>(*event)) break;
    if (const auto* const snapshot = std::get_if<const Snapshot*>(&*event)) return localTime((*snapshot)->wallTime);
  }
  return {};
}

}  // namespace

bool drawRing(const std::filesystem::path& ring, const std::filesystem::path& draft) {
  std::error_code none;
  const std::filesystem::path newest = std::filesystem::exists(ring, none) ? ring : beforeOf(ring);
  const auto until = std::filesystem::last_write_time(newest, none);
  if (none) return false;
  std::filesystem::remove(draft, none);
  if (!copyRing(ring, draft)) std::filesystem::rename(newest, draft, none);
  std::filesystem::last_write_time(draft, until, none);
  return true;
}

PastOnDisk::PastOnDisk(const Session& session, const QString& folder, const PastLimits& limits)
    : m_session(session), m_folder(folder.isEmpty() ? ownDataFolder() : folder), m_limits(limits) {
  m_again.setSingleShot(true);
  m_again.setInterval(limits.again);
  connect(&session, &Session::recentBegun, this, [this](const Hello& hello) { add(hello); });
  connect(&session, &Session::recentAdded, this, [this](const Snapshot& snapshot) { add(snapshot); });
}

QString PastOnDisk::path(const char* name) const {
  return QDir(m_folder).filePath(QLatin1StringView(name));
}

void PastOnDisk::setKept(bool on) {
  if (on == kept()) return;
  m_again.stop();
  if (!on) return removeAll();
  if (!makeOwnFolder(native(m_folder))) return Q_EMIT failed(tr("%1 cannot be made.").arg(m_folder));
  auto lock = std::make_unique<QLockFile>(path(kLock));
  lock->setStaleLockTime(0);  // stale only if its owner is dead
  if (!lock->tryLock(0)) return;
  m_lock = std::move(lock);
  takeOver();
}

void PastOnDisk::takeOver() {
  const QString earlier = path(kEarlier);
  if (drawRing(native(path(kRing)), native(path(kDraft)))) {
    const QDateTime begin = beginOf(path(kDraft));
    const std::chrono::milliseconds length(begin.isValid() ? begin.msecsTo(QFileInfo(path(kDraft)).lastModified()) : 0);
    std::error_code none;
    if (length >= m_limits.least || (begin.isValid() && !beginOf(earlier).isValid()))
      std::filesystem::rename(native(path(kDraft)), native(earlier), none);
    removeRing();
  }
  if (!beginOf(earlier).isValid()) return;
  m_earlier = {.file = earlier, .until = QFileInfo(earlier).lastModified()};
  const auto up = std::chrono::duration_cast<std::chrono::milliseconds>(upTime());
  const QDateTime started = QDateTime::currentDateTime().addMSecs(-up.count());
  if (started > m_earlier->until) m_earlier->restarted = started;
}

void PastOnDisk::removeRing() {
  for (const char* const name : {kRing, kDraft}) QFile::remove(path(name));
  QFile::remove(path(kRing) + QStringLiteral(".before"));
}

void PastOnDisk::removeAll() {
  m_writer.reset();
  m_newest.reset();
  m_holds = false;
  m_earlier.reset();
  removeRing();
  QFile::remove(path(kEarlier));
  m_lock.reset();
}

// A file that has snapshots gives way to the next one alone.
void PastOnDisk::begin() {
  m_writer.reset();  // Windows renames no open file
  const std::filesystem::path ring = native(path(kRing));
  const Hello& hello = m_session.live().hello();
  auto writer = std::exchange(m_holds, false) ? turnRing(ring, hello) : createRecording(ring, hello);
  if (writer) m_writer = std::move(*writer);
  else take(tl::unexpected(std::move(writer.error())));
}

void PastOnDisk::take(const Result<void>& written) {
  if (written) return;
  m_writer.reset();
  m_again.start();
  Q_EMIT failed(QString::fromStdString(written.error().message));
}

void PastOnDisk::add(const Hello& hello) {
  if (m_writer) take(m_writer->add(hello));
}

// What lies between is left out, so that a short interval would say that this one is late.
Snapshot PastOnDisk::kept(Snapshot snapshot) const {
  if (plannedInterval(m_session.live().hello(), snapshot.system) < m_limits.between)
    snapshot.system.set(SystemMetric::SweepInterval, static_cast<std::uint64_t>(m_limits.between.count()));
  return snapshot;
}

void PastOnDisk::add(const Snapshot& snapshot) {
  if (!kept() || m_session.synthetic() || m_again.isActive()) return;
  if (m_newest && snapshot.time >= *m_newest && snapshot.time - *m_newest < m_limits.between) return;
  const bool full = m_writer && (snapshot.time - m_turned >= m_limits.time || m_writer->bytes() >= m_limits.bytes);
  if (!m_writer || full) {
    begin();
    m_turned = snapshot.time;
  }
  if (!m_writer) return;
  m_newest = snapshot.time;
  take(m_writer->add(kept(snapshot)));
  m_holds = m_holds || m_writer;
}

}  // namespace faultline
