#include "app/tray/lab/calibration_run.h"

#include <QCoreApplication>

#include "app/tray/trial/program.h"

namespace faultline {

CalibrationRun::CalibrationRun(QString program, QObject* parent) : QObject(parent), m_program(std::move(program)) {
  connect(&m_process, &QProcess::finished, this, [this](int code, QProcess::ExitStatus status) {
    if (status == QProcess::CrashExit) return Q_EMIT ended(tr("The calibration was killed."));
    Q_EMIT ended(code == 0 ? QString() : saidBy(m_process));
  });
  connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
    if (error == QProcess::FailedToStart)
      Q_EMIT ended(tr("The calibration cannot be started: %1.").arg(m_process.errorString()));
  });
}

CalibrationRun::~CalibrationRun() {
  m_process.disconnect(this);
  m_process.kill();  // leaves nothing behind, and does not hold up the end of this program as a gentle end does
  m_process.waitForFinished();
}

void CalibrationRun::start() {
  if (running()) return;
  m_process.start(
      terminalProgram(m_program),
      {QStringLiteral("calibrate"), QStringLiteral("--ends-with"), QString::number(QCoreApplication::applicationPid())},
      QIODevice::ReadOnly);
}

}  // namespace faultline
