// PastOnDisk: keeps the last hour of what the session measures in a ring of two files, too, so that a crash of this
// program or of the machine leaves it behind, and has what an earlier Faultline left. At most 64 MB in all: 16 MB for
// each file of the ring, and the ring that was left, as one recording. Of each half second it keeps one snapshot, so
// that a short interval does not wear the disk; so much a killed program loses. Files have mode 0600.
#pragma once

#include <QDateTime>
#include <QLockFile>
#include <QObject>
#include <QString>
#include <QTimer>
#include <filesystem>
#include <memory>
#include <optional>

#include "app/tray/session/session.h"
#include "core/recording/writer.h"

namespace faultline {

struct EarlierPast {
  QString file;
  QDateTime until;
  std::optional<QDateTime> restarted{};  // of the machine, since then
};

// Of a game that an earlier Faultline watched.
struct EarlierFrames {
  QString file;
  QString game;  // its name, printable
  QDateTime until;
};

struct PastLimits {
  Nanoseconds time = std::chrono::hours(1);  // of a file
  std::uint64_t bytes = std::uint64_t{16} << 20U;
  Nanoseconds between = std::chrono::milliseconds(450);       // snapshots; sweeps half a second apart are not exact
  std::chrono::milliseconds least = std::chrono::minutes(1);  // a shorter time takes the place of no earlier one
  std::chrono::milliseconds again = std::chrono::minutes(1);  // after a failure to write
};

// One recording of the ring, with the time of its last packet. On a full disk its newer part alone. False: there is no
// ring.
[[nodiscard]] bool drawRing(const std::filesystem::path& ring, const std::filesystem::path& draft);

class PastOnDisk : public QObject {
  Q_OBJECT
 public:
  // Empty folder: ownDataFolder().
  explicit PastOnDisk(const Session& session, const QString& folder = {}, const PastLimits& limits = {});

  // On: takes over what is there; another Faultline of this user may keep the past already, which is then left alone.
  // Off: removes all files.
  void setKept(bool kept);
  [[nodiscard]] bool kept() const { return m_lock != nullptr; }
  [[nodiscard]] const QString& folder() const { return m_folder; }
  [[nodiscard]] const std::optional<EarlierPast>& earlier() const { return m_earlier; }

 Q_SIGNALS:
  void failed(const QString& sentence);  // nothing is kept for a while

 private:
  void takeOver();
  void removeRing();
  void removeAll();
  void begin();
  void take(const Result<void>& written);
  void add(const Hello& hello);
  void add(const Snapshot& snapshot);
  [[nodiscard]] Snapshot kept(Snapshot snapshot) const;
  [[nodiscard]] QString path(const char* name) const;

  const Session& m_session;
  QString m_folder;
  PastLimits m_limits;
  std::unique_ptr<QLockFile> m_lock;  // null: nothing is kept
  std::optional<EarlierPast> m_earlier;
  std::optional<RecordingWriter> m_writer;
  MonotonicTime m_turned;
  std::optional<MonotonicTime> m_newest;  // written
  bool m_holds = false;                   // the file has snapshots
  QTimer m_again;                         // active after a failure
};

}  // namespace faultline
