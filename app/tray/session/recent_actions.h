// RecentActions: the menu actions on the past: save what just happened, with the frames of watched games, and open what
// an earlier Faultline left on disk.
#pragma once

#include <QAction>
#include <QMenu>
#include <optional>

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
  // In the menu; the sentence tells so. Empty: the same as before, or nothing.
  [[nodiscard]] QString offer(const std::optional<EarlierPast>& past);

 Q_SIGNALS:
  void saving(faultline::MonotonicTime from, const QString& file);
  void opened(const QString& file);

 private:
  const Session& m_session;
  QWidget& m_window;
  TellSaved m_tell;
  QAction m_openEarlier;
  QString m_earlier;  // file
};

}  // namespace faultline
