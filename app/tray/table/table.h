// ProcessTable: the filter line and the table of processes under it. Shows the present, or an instant of the past.
#pragma once

#include <QWidget>
#include <array>
#include <optional>

#include "app/tray/processes/columns.h"
#include "app/tray/processes/pins.h"
#include "core/monitor/monitor.h"

class QCheckBox;
class QLabel;
class QLineEdit;
class QMenu;
class QTableView;
class QTimer;

namespace faultline {

class CellDelegate;
class CostLine;
class ProcessFilter;
class ProcessModel;
struct ProcessEntry;
class SparklineDelegate;
class TableHeader;

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
  // Why no process that is shown can be watched, as a sentence; empty: nothing speaks against it.
  void setWhyNoFrames(const QString& sentence) { m_whyNoFrames = sentence; }
  void setMadeUp(bool madeUp) { m_madeUp = madeUp; }  // its processes do not exist, so they are nobody's
  void copySelection();                               // the selected rows as CSV

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
  void buildFilterLine();
  void buildTable();
  void orderColumns();
  void showMeasuredColumns();
  void setColumnWidths();
  void applyTheme();
  void connectAll();
  void tellNothing();
  void tellInstant();
  void follow();  // what the rows show and how many there are
  void settleNow();
  void chooseCostSubject();
  void pinSelection();
  void copyNames();
  [[nodiscard]] QString whyNoFrames(const ProcessEntry& entry) const;
  void addFramesAction(QMenu& menu, const ProcessEntry& entry);
  [[nodiscard]] std::vector<ProcessKey> selectedKeys() const;
  [[nodiscard]] bool allPinned(const std::vector<ProcessKey>& keys) const;

  const Monitor& m_monitor;
  Pins& m_pins;
  ProcessModel* m_model;
  ProcessFilter* m_rows;
  QLineEdit* m_filter;
  QCheckBox* m_activeOnly;
  QCheckBox* m_tree;
  QLabel* m_instant;  // which one is shown
  QLabel* m_count;
  QTableView* m_view;
  QLabel* m_nothing;  // in place of rows
  CostLine* m_cost;
  std::optional<ProcessKey> m_followed;
  QString m_whyNoFrames;
  bool m_madeUp = false;
  TableHeader* m_header;
  CellDelegate* m_cells;
  SparklineDelegate* m_sparklines;
  QTimer* m_soon;                               // sorts when the instant has stood still for a moment
  std::array<bool, kColumnCount> m_measured{};  // somebody does, now
  std::array<bool, kColumnCount> m_wanted{};    // shown when it is measured
  std::optional<MonotonicTime> m_settled;       // time shown when rows were last sorted
};

}  // namespace faultline
