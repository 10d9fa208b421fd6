// RecentActions: the menu actions on the past: save what just happened, with the frames of watched games, and open what
// an earlier Faultline left on disk.
#pragma once

#include <QAction>
#include <QMenu>
#include <optional>
#include <vector>

#include "app/tray/session/past.h"
#include "app/tray/session/session.h"
#include "app/tray/widgets/saved_file.h"

namespace faultline {

class RecentActions : public QObject {
  Q_OBJECT
 public:
  RecentActions(const Session& session, QWidget& window, TellSaved tell);

  void addFileActions(QMenu& menu);
  void save(Nanoseconds time);  // asks for a file
  // In the menu; the sentence tells so. Empty: the same as before, or nothing. Frames: the newest first.
  [[nodiscard]] QString offer(const std::optional<EarlierPast>& past, const std::vector<EarlierFrames>& frames = {});

 Q_SIGNALS:
  void saving(faultline::MonotonicTime from, const QString& file);
  void opened(const QString& file);

 private:
  [[nodiscard]] QString offerHour(const std::optional<EarlierPast>& past);
  [[nodiscard]] QString offerFrames(const std::vector<EarlierFrames>& frames);

  const Session& m_session;
  QWidget& m_window;
  TellSaved m_tell;
  QAction m_openEarlier;
  QString m_earlier;  // file
  QMenu m_openFrames;
  QStringList m_frames;  // files
};

}  // namespace faultline
