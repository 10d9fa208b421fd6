// FramesWindow: one game's frames while it runs and after: bars over time, the worst frames as a table, and the
// culprits of the one that is selected. Watches as long as it is open.
#pragma once

#include <QElapsedTimer>
#include <QLabel>
#include <QMainWindow>
#include <QSplitter>
#include <QTableView>
#include <QTimer>
#include <optional>

#include "app/tray/culprits/panel.h"
#include "app/tray/frames/bars.h"
#include "app/tray/frames/culprit_finder.h"
#include "app/tray/frames/game_watch.h"
#include "app/tray/frames/model.h"
#include "app/tray/session/settings.h"
#include "app/tray/time/range_bar.h"
#include "app/tray/time/view.h"
#include "app/tray/widgets/line_label.h"

class QComboBox;
class QSortFilterProxyModel;
class QToolButton;

namespace faultline {

class CellDelegate;
class TableHeader;

class FramesWindow : public QMainWindow {
  Q_OBJECT
 public:
  FramesWindow(const WatchedProcess& process, SettingsStore& settings, const QString& collectorFolder = {},
               QWidget* parent = nullptr);

  void select(std::uint64_t place);
  void selectWorst();
  void selectWorstShown();  // of those in the picture
  void copySummary();
  void rememberLayout();

  [[nodiscard]] const GameWatch& watch() const { return m_watch; }
  [[nodiscard]] std::optional<std::uint64_t> selected() const { return m_bars->selected(); }
  [[nodiscard]] bool culpritsShown() const { return m_culprits->culprits() != nullptr; }
  [[nodiscard]] TimeView& view() { return m_view; }

 protected:
  void closeEvent(QCloseEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void changeEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void buildControls();
  void buildTable();
  void buildMenus();
  void layOut();
  void connectAll();
  void arrived();
  void refresh();
  void refreshWords();
  void askForCulprits();
  void showCulprits();
  void tableChosen();
  void bringIntoView(std::uint64_t place);
  void chooseBudget();
  void chooseStacks();
  void showBudget();
  void savePicture();
  void saveFrames(std::size_t number);
  void saveStacks();
  bool writeFile(const QString& file, const std::string& bytes);
  void say(const QString& sentence);
  void showGrant();
  void applyTheme();

  SettingsStore& m_settings;
  GameWatch m_watch;
  CulpritFinder m_finder;
  TimeView m_view;
  QLabel* m_summary;
  QToolButton* m_copy;
  QComboBox* m_budget;
  QComboBox* m_stacks;
  FrameBars* m_bars;
  RangeBar* m_range;
  FrameModel* m_model;
  QSortFilterProxyModel* m_sorted;
  QTableView* m_table;
  TableHeader* m_header;
  CellDelegate* m_cells;
  CulpritPanel* m_culprits;
  QSplitter* m_lower;
  QSplitter* m_whole;
  LineLabel* m_state;
  QToolButton* m_permission;
  QTimer m_redraw;  // bars, many times a second
  QTimer m_settle;  // words and the table, a few times
  bool m_selecting = false;
};

}  // namespace faultline
