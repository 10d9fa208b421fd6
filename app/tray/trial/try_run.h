// TryRun: runs a typed command of `faultline-cli try` as a child process, which ends with this program.
#pragma once

#include <QByteArray>
#include <QElapsedTimer>
#include <QObject>
#include <QProcess>
#include <QString>
#include <vector>

#include "core/trial/interval.h"
#include "core/trial/progress.h"

namespace faultline {

// What the window shows of a report.
struct TryResult {
  struct Gain {
    QString remedy;
    MedianInterval share;  // saved; negative: lost
  };
  QString markdown;
  QString advice;
  std::vector<Gain> gains;  // of the remedies that have an interval
};

// Absent: no report of a trial.
[[nodiscard]] std::optional<TryResult> readTryResult(const QByteArray& json);
// The same command, with a report for the window. Empty: another command than faultline-cli try.
[[nodiscard]] QString commandForWindow(const QString& typed);

class TryRun : public QObject {
  Q_OBJECT
 public:
  explicit TryRun(QObject* parent = nullptr);
  ~TryRun() override;

  // False: another command than faultline-cli try, or one runs.
  [[nodiscard]] bool start(const QString& typed);
  void cancel();  // ended() follows, with the rounds that are complete
  [[nodiscard]] bool running() const { return m_process.state() != QProcess::NotRunning; }

 Q_SIGNALS:
  // `left`: in ns, as the runs so far took; 0: not known.
  void progressed(const faultline::TrialProgress& progress, qint64 left);
  void said(const QString& line);  // another line, of faultline-cli or of the program
  void ended(const QByteArray& json, int code);

 private:
  void readLines();
  void takeLine(const QByteArray& line);

  QProcess m_process;
  QElapsedTimer m_clock;  // since the first run that counts
};

}  // namespace faultline
