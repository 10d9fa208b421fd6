// LabResult: one report: its rows, a chart of a group of them, its claims with the notes, and its lanes, if it has any.
#pragma once

#include <QListWidget>
#include <QSplitter>
#include <QTabWidget>
#include <QTableView>
#include <optional>

#include "app/tray/lab/chart.h"
#include "app/tray/lab/lane_pane.h"
#include "app/tray/lab/rows.h"
#include "app/tray/widgets/line_label.h"

class QComboBox;

namespace faultline {

class CellDelegate;
class TableHeader;

class LabResult : public QSplitter {
  Q_OBJECT
 public:
  explicit LabResult(QWidget* parent = nullptr);

  void setReport(const LabReport& report, const LabReport* other);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void buildTable();
  void fitColumns();
  void showClaims();
  void showLanes();
  void showGroup(int index);
  void applyTheme();

  LabRows* m_rows;
  QTableView* m_table;
  TableHeader* m_header;
  CellDelegate* m_cells;
  QTabWidget* m_tabs;
  QComboBox* m_groups;
  LineLabel* m_legend;
  LabChart* m_chart;
  QListWidget* m_claims;
  LanePane* m_lanes;
  std::optional<LabReport> m_other;
};

}  // namespace faultline
