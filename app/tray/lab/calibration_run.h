// CalibrationRun: runs `faultline-cli calibrate` as a child process, which ends with this program.
#pragma once

#include <QObject>
#include <QProcess>
#include <QString>

namespace faultline {

class CalibrationRun : public QObject {
  Q_OBJECT
 public:
  // `program`: faultline-cli; empty: that beside this program.
  explicit CalibrationRun(QString program = {}, QObject* parent = nullptr);
  ~CalibrationRun() override;

  void start();  // ignored while one runs
  [[nodiscard]] bool running() const { return m_process.state() != QProcess::NotRunning; }

 Q_SIGNALS:
  void ended(const QString& trouble);  // empty: the calibration was kept

 private:
  QString m_program;
  QProcess m_process;
};

}  // namespace faultline
