// RecentSaver: saves what just happened as a recording without a question, in a folder of its own: on a signal, by the
// button of a notification, and by itself at a spike, within limits.
#pragma once

#include <QObject>
#include <QString>
#include <QTimer>

#include "app/tray/session/session.h"
#include "app/tray/widgets/saved_file.h"

namespace faultline {

// Of what is saved by itself. A day is one of local time.
struct SpikeLimits {
  qsizetype files = 20;                                        // a day
  qint64 bytes = 100'000'000;                                  // a day
  qsizetype kept = 100;                                        // files, of all days; the oldest is removed
  std::chrono::milliseconds after = std::chrono::seconds(30);  // a spike, which the recording has, too
};
inline constexpr Nanoseconds kBeforeSpike = std::chrono::seconds(30);  // as much is saved

class RecentSaver : public QObject {
  Q_OBJECT
 public:
  // The folder is made when it is needed, for this user alone. Empty: faultline in the user's folder for data.
  explicit RecentSaver(const Session& session, const QString& folder = {}, const SpikeLimits& limits = {});

  // Of the present, in turns, as faultline-DATE-TIME.faultline.
  void save(Nanoseconds last, TellSaved tell);
  void saveSince(MonotonicTime from, TellSaved tell);
  // Saves the spike by itself, as spike-DATE-TIME.faultline, a while later, with all spikes that end until then, or
  // tells that it exceeds the limits.
  void spikeEnded(const Spike& spike, TellSaved tell);

 Q_SIGNALS:
  void saving(faultline::MonotonicTime from, const QString& file);

 private:
  void saveSpikes();
  [[nodiscard]] bool mayToday(std::size_t bytes) const;
  void removeOldest() const;
  void write(RecentReader recent, MonotonicTime from, const QString& stem, TellSaved tell);

  const Session& m_session;
  QString m_folder;
  SpikeLimits m_limits;
  MonotonicTime m_from;  // of the spikes to save
  TellSaved m_tell;
  QTimer m_after;  // active while there are any
};

[[nodiscard]] QString ownDataFolder();

}  // namespace faultline
