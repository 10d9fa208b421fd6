// ProcessTable: the filter line above the table of processes. Shows the present, or an instant of the past.
#pragma once

#include <QWidget>
#include <optional>

#include "app/tray/processes/entry.h"
#include "app/tray/processes/pins.h"
#include "app/tray/table/columns.h"
#include "core/monitor/monitor.h"

class QLabel;
class QMenu;
class QTimer;

namespace faultline {

class CellDelegate;
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

  void refresh();  // after each ingest, and when shown again; no effect while hidden
  void showInstant(std::optional<MonotonicTime> instant);  // nullopt: live
  void setFollowed(std::optional<ProcessKey> key);         // the subject if no row is selected
  void focusFilter();
  void choose(const ProcessKey& key);  // selects the row; removes the filter if necessary
  void fillMenu(QMenu& menu);          // actions for the selected rows, and for columns
  void setHere(bool here);             // the processes run on this machine
  void setReplay(bool replay);         // the data is a recording's
  [[nodiscard]] RowActions& actions() { return *m_actions; }
  // The process of the row that is selected, also after its end and the removal of its row, until another is selected.
  [[nodiscard]] const std::optional<ProcessKey>& subject() const { return m_subject; }
  [[nodiscard]] const ProcessEntry* entry(const ProcessKey& key) const;  // of its row; null: it has none
  [[nodiscard]] CellContext context() const;                             // of the rows' numbers
  [[nodiscard]] MonotonicTime shownTime() const;

  [[nodiscard]] QByteArray columns() const;  // widths, order and sorting, for the settings
  void setColumns(const QByteArray& columns);

 Q_SIGNALS:
  void followRequested(const faultline::ProcessKey& key);
  void framesRequested(const faultline::ProcessKey& key, const QString& name);
  void subjectChanged(std::optional<faultline::ProcessKey> subject);

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
  void follow();  // updates the filter line, sparklines and columns
  void settleNow();
  void sortByCost();
  void chooseSubject();

  const Monitor& m_monitor;
  Pins& m_pins;
  ProcessModel* m_model;
  ProcessFilter* m_rows;
  FilterLine* m_line;
  TableView* m_view;
  RowActions* m_actions;
  QLabel* m_nothing;  // in place of rows
  std::optional<ProcessKey> m_subject;
  std::optional<ProcessKey> m_followed;
  TableHeader* m_header;
  TableColumns m_columns;
  CellDelegate* m_cells;
  SparklineDelegate* m_sparklines;
  QTimer* m_soon;                          // sorts a moment after the last change of the instant
  std::optional<MonotonicTime> m_settled;  // time shown when rows were last sorted
  bool m_sorted = false;                   // by cost, as soon as that is known, or as the user left it
};

}  // namespace faultline
