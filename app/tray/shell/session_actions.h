// SessionActions: the menu actions on the session: open a recording, return to this machine, record, pause. Each is
// enabled while it makes sense.
#pragma once

#include <QAction>
#include <QMenu>

#include "app/tray/session/session.h"

namespace faultline {

class SessionActions : public QObject {
  Q_OBJECT
 public:
  SessionActions(Session& session, QWidget& window);

  void addFileActions(QMenu& menu);
  void addPause(QMenu& menu) { menu.addAction(&m_pause); }
  void toggleRecording();
  void togglePause() { m_pause.trigger(); }
  void update();  // after any change of the session

 Q_SIGNALS:
  void opened(const QString& file);
  void failed(const QString& sentence);

 private:
  void open();

  Session& m_session;
  QWidget& m_window;
  QAction m_open;
  QAction m_backToLive;
  QAction m_record;
  QAction m_pause;
};

}  // namespace faultline
