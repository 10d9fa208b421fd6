// TryDialog: the command line that tries remedies on a program, to change, to copy, to run in a terminal, or to run
// here, with progress, a chart of the gains and the report. Closing it ends the trial.
#pragma once

#include <QDialog>
#include <QLabel>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QTextBrowser>
#include <string>
#include <vector>

#include "app/tray/trial/gain_chart.h"
#include "app/tray/trial/try_run.h"
#include "core/advice/advice.h"

namespace faultline {

class TryDialog : public QDialog {
  Q_OBJECT
 public:
  // `program`: the words that started it; empty: not known.
  // Those of the advice, on the program's frames.
  TryDialog(const Advice& advice, const std::vector<std::string>& program, QWidget* parent = nullptr);
  // All, on whole runs of the program.
  explicit TryDialog(const std::vector<std::string>& program, QWidget* parent = nullptr);

  [[nodiscard]] QString command() const { return m_command->toPlainText().simplified(); }

 private:
  TryDialog(const std::vector<std::string>& command, const QString& text, QWidget* parent);
  void copy();
  void runInTerminal();
  void runHere();  // or cancels
  void showProgress(const TrialProgress& progress, qint64 left);
  void showResult(const QByteArray& json, int code);

  QPlainTextEdit* m_command;
  QLabel* m_result;
  QPushButton* m_here;
  QProgressBar* m_progress;
  GainChart* m_gains;
  QTextBrowser* m_report;
  TryRun* m_run;
  QString m_said;  // the last lines of the run
  bool m_cancelled = false;
};

}  // namespace faultline
