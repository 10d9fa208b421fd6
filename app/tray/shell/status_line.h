// StatusLine: the state of the session, the progress of loading, the recording, and buttons that end the following of a
// process or ask for the one-time permission.
#pragma once

#include <QLabel>
#include <QProgressBar>
#include <QStatusBar>
#include <QToolButton>

#include "app/tray/session/session.h"
#include "app/tray/widgets/line_label.h"
#include "core/model/hello.h"

namespace faultline {

// The grades of the numbers: of zeroing by process, or where only threads of the system zero in advance, of their time.
[[nodiscard]] QString qualitySentence(const Hello& hello);

class StatusLine : public QStatusBar {
  Q_OBJECT
 public:
  explicit StatusLine(QWidget* parent = nullptr);

  void say(const QString& sentence);  // for some seconds
  void showState(const Session& session);
  void showRecording(const Session& session);
  void offerGrant(bool offered, const QString& why);
  void showFollowed(const QString& name);  // empty: no process is followed

 Q_SIGNALS:
  void cancelRequested();
  void unfollowRequested();
  void grantRequested();

 private:
  [[nodiscard]] QToolButton* addButton(const QString& text);

  LineLabel* m_state;
  QToolButton* m_grant;
  QProgressBar* m_progress;
  QToolButton* m_cancel;
  QToolButton* m_followed;
  QLabel* m_recording;
};

}  // namespace faultline
