// ProcessTable: the filter line and the table of processes under it. Shows the present, or an instant of the past.
#pragma once

#include <QWidget>
#include <optional>

#include "app/tray/processes/pins.h"
#include "app/tray/table/columns.h"
#include "core/monitor/monitor.h"

class QLabel;
class QMenu;
class QTimer;

namespace faultline {

class CellDelegate;
class CostLine;
class FilterLine;
class ProcessFilter;
class ProcessModel;
class RowActions;
class SparklineDelegate;
class TableHeader;
class TableView;

class ProcessTable : public QWidget {
  Q_OBJECT
 public:
  ProcessTable(const Monitor& monitor, Pins& pins, QWidget* parent = nullptr);

  void refresh();  // after each ingest, and when shown again; does nothing while hidden
  void showInstant(std::optional<MonotonicTime> instant);  // nullopt: live
  void setFollowed(std::optional<ProcessKey> key);         // whose cost is told while no row is selected
  void focusFilter();
  void choose(const ProcessKey& key);  // selects its row, past the filter if need be
  void fillMenu(QMenu& menu);          // what can be done with the selected rows, and with the columns
  void setHere(bool here);             // its processes run on this machine
  [[nodiscard]] RowActions& actions() { return *m_actions; }

  [[nodiscard]] QByteArray columns() const;  // their widths, order and sorting, to be remembered
  void setColumns(const QByteArray& columns);

 Q_SIGNALS:
  void followRequested(const faultline::ProcessKey& key);
  void framesRequested(const faultline::ProcessKey& key, const QString& name);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void changeEvent(QEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  void buildTable();
  void applyTheme();
  void connectAll();
  void tellNothing();
  void follow();  // what the rows show and how many there are
  void settleNow();
  void chooseCostSubject();

  const Monitor& m_monitor;
  Pins& m_pins;
  ProcessModel* m_model;
  ProcessFilter* m_rows;
  FilterLine* m_line;
  TableView* m_view;
  RowActions* m_actions;
  QLabel* m_nothing;  // in place of rows
  CostLine* m_cost;
  std::optional<ProcessKey> m_followed;
  TableHeader* m_header;
  TableColumns m_columns;
  CellDelegate* m_cells;
  SparklineDelegate* m_sparklines;
  QTimer* m_soon;                          // sorts when the instant has stood still for a moment
  std::optional<MonotonicTime> m_settled;  // time shown when rows were last sorted
};

}  // namespace faultline
