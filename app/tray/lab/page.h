// LabPage: pick an experiment of the lab, run it, see its result, and compare that with the result of another machine.
// Stands in place of the plots and the table of processes.
#pragma once

#include <QStackedWidget>
#include <QToolButton>
#include <QWidget>
#include <optional>
#include <vector>

#include "app/tray/lab/calibration_run.h"
#include "app/tray/lab/result.h"
#include "app/tray/lab/run.h"
#include "app/tray/widgets/line_label.h"
#include "core/base/result.h"
#include "core/calibration/calibration.h"
#include "core/history/rates.h"

class QComboBox;
class QLabel;

namespace faultline {

class LabPage : public QWidget {
  Q_OBJECT
 public:
  explicit LabPage(const QString& program = {}, QWidget* parent = nullptr);  // as LabRun has it

  // The process of an experiment that began, once, when a moment has it.
  [[nodiscard]] std::optional<ProcessKey> begun(const Moment& now);
  [[nodiscard]] bool running() const { return m_run.running(); }
  // `calibration`: null, there is none. `remarks`: why it may be wrong.
  void showCalibration(const Calibration* calibration, const std::vector<std::string>& remarks);

  [[nodiscard]] Result<void> open(const QString& file);         // shows saved results
  [[nodiscard]] Result<void> compareWith(const QString& file);  // with saved results, from now on
  [[nodiscard]] const std::vector<LabReport>& reports() const { return m_reports; }

 Q_SIGNALS:
  void runEnded();
  void calibrated();  // and kept
  void closed();
  void said(const QString& sentence);
  void failed(const QString& sentence);

 private:
  void buildControls();
  void addButtons(QLayout& row);
  void addCalibration(QLayout& column);
  [[nodiscard]] QToolButton* button(const QString& text, const QString& toolTip);
  void startOrCancel();
  void progressed(const LabProgress& progress);
  void ended(const std::vector<LabReport>& reports, const QString& trouble);
  void keep(std::vector<LabReport> reports);
  void chooseShown(const QString& experiment);
  void showChosen();
  void refresh();
  void copy();
  void save();
  void compare();
  [[nodiscard]] QString chosen() const;
  [[nodiscard]] bool all() const;
  [[nodiscard]] const LabReport* shown() const;

  LabRun m_run;
  CalibrationRun m_calibration;
  QComboBox* m_experiment;
  QComboBox* m_form;
  QToolButton* m_start;
  QToolButton* m_copy;
  QToolButton* m_save;
  QToolButton* m_compare;
  LineLabel* m_state;
  QStackedWidget* m_stack;
  QLabel* m_nothing;
  QLabel* m_answer;  // of the result, in one sentence
  LabResult* m_result;
  LineLabel* m_prices;
  QToolButton* m_calibrate;
  QString m_stateText;                     // while one runs
  std::optional<std::uint32_t> m_awaited;  // pid of an experiment's process that no moment had yet
  std::vector<LabReport> m_reports;        // at most one of an experiment
  std::vector<LabReport> m_others;         // of another machine
};

}  // namespace faultline
