// LabRun: runs experiments of the lab by `faultline-cli lab` as a child process, which takes all that it started with
// it when it ends, also when this program is killed.
#pragma once

#include <QByteArray>
#include <QObject>
#include <QProcess>
#include <QString>
#include <QTimer>
#include <cstdint>
#include <vector>

#include "core/lab/report.h"
#include "core/lab/view/progress.h"

namespace faultline {

// Lanes: in the quick form, each way once, while all page faults are watched.
enum class LabForm : std::uint8_t { Quick, Long, Lanes };

class LabRun : public QObject {
  Q_OBJECT
 public:
  // `program`: faultline-cli; empty: that beside this program.
  explicit LabRun(QString program = {}, QObject* parent = nullptr);
  ~LabRun() override;

  void start(const QString& experiment, LabForm form);  // or "all"; ignored while one runs
  void cancel();                                        // ended() follows, with no reports and no trouble
  [[nodiscard]] bool running() const { return m_process.state() != QProcess::NotRunning; }

 Q_SIGNALS:
  void progressed(const faultline::LabProgress& progress);
  // `trouble`: a sentence; empty if all went well, or if the user cancelled. There may be reports and trouble.
  void ended(const std::vector<faultline::LabReport>& reports, const QString& trouble);

 private:
  void readLines();
  void takeLine(const QByteArray& line);
  void processEnded(int code, QProcess::ExitStatus status);

  QString m_program;
  QProcess m_process;
  QTimer m_patience;
  QString m_trouble;  // the last lines that were no progress
  bool m_cancelled = false;
};

}  // namespace faultline
