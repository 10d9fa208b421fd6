// CompareDialog: the frames of a run beside those of an earlier one, compared by `faultline-cli compare` as a child
// process, which ends with the dialog.
#pragma once

#include <QByteArray>
#include <QDialog>
#include <QLabel>
#include <QProcess>
#include <QPushButton>
#include <QTextBrowser>
#include <optional>
#include <vector>

#include "app/tray/trial/gain_chart.h"
#include "core/base/units.h"

namespace faultline {

// What the window shows of a comparison.
struct CompareResult {
  QStringList lines;                   // the first is the verdict on late frames
  std::vector<TryResult::Gain> costs;  // that decide, each as the share that the second run saves
};

// Absent: no comparison of frames.
[[nodiscard]] std::optional<CompareResult> readCompareResult(const QByteArray& json);

// Its name for people, and its file.
struct ComparedRun {
  QString name;
  QString file;
};

class CompareDialog : public QDialog {
  Q_OBJECT
 public:
  // `budget`: of the frames of recordings. `program`: faultline-cli; empty: that beside this program.
  CompareDialog(ComparedRun before, ComparedRun after, Nanoseconds budget, QWidget* parent = nullptr,
                QString program = {});
  ~CompareDialog() override;

  [[nodiscard]] QString report() const { return m_report->toPlainText(); }

 private:
  void compare();
  void swapRuns();
  void showResult(const QByteArray& json);
  void showTrouble(const QString& trouble);

  ComparedRun m_before;
  ComparedRun m_after;
  Nanoseconds m_budget;
  QString m_program;
  QLabel* m_runs;
  QLabel* m_verdict;
  GainChart* m_costs;
  QTextBrowser* m_report;
  QPushButton* m_swap;
  QPushButton* m_copy;
  QProcess m_process;
};

}  // namespace faultline
