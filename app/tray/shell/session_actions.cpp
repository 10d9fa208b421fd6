#include "app/tray/shell/session_actions.h"

#include "app/tray/widgets/saved_file.h"

namespace faultline {

SessionActions::SessionActions(Session& session, QWidget& window)
    : m_session(session),
      m_window(window),
      m_open(tr("&Open recording…")),
      m_backToLive(tr("&Back to this machine")),
      m_pause(tr("&Pause") + QStringLiteral("\tSpace")) {
  m_open.setShortcut(QKeySequence::Open);
  m_record.setShortcut(QKeySequence(tr("Ctrl+R")));
  m_pause.setCheckable(true);
  connect(&m_open, &QAction::triggered, this, &SessionActions::open);
  connect(&m_backToLive, &QAction::triggered, &session, &Session::startLive);
  connect(&m_record, &QAction::triggered, this, &SessionActions::toggleRecording);
  connect(&m_pause, &QAction::triggered, &session, &Session::setPaused);
  update();
}

void SessionActions::addFileActions(QMenu& menu) {
  menu.addActions({&m_open, &m_backToLive, &m_record});
}

void SessionActions::update() {
  const Session::State state = m_session.state();
  const bool replay = state == Session::State::Loading || state == Session::State::Replay;
  m_backToLive.setEnabled(replay);
  m_pause.setEnabled(!replay);
  m_pause.setChecked(state == Session::State::Paused);
  m_record.setEnabled(!replay || m_session.liveState() == Session::State::Live || m_session.recording());
  m_record.setText(m_session.recording() ? tr("Stop &recording") : tr("&Record to a file…"));
}

void SessionActions::open() {
  askForSavedFile(&m_window, tr("Open recording"), tr("Faultline recordings (*.faultline);;All files (*)"),
                  [this](const QString& file) { Q_EMIT opened(file); });
}

void SessionActions::toggleRecording() {
  if (m_session.recording()) return m_session.stopRecording();
  askForFile(&m_window,
             {tr("Record to a file"), QStringLiteral("faultline"), QStringLiteral(".faultline"),
              tr("Faultline recordings (*.faultline)")},
             [this](const QString& file) {
               if (const Result<void> started = m_session.startRecording(file); !started)
                 Q_EMIT failed(QString::fromStdString(started.error().message));
             });
}

}  // namespace faultline
