// FramesWindow: the frames of one game while it runs and after, or of its recording: bars over time, the worst frames
// as a table, and the culprits of the selected frame. Watches the game as long as the window is open.
#pragma once

#include <QMainWindow>
#include <QSplitter>
#include <QTimer>
#include <QToolButton>
#include <optional>

#include "app/tray/culprits/panel.h"
#include "app/tray/frames/bars/widget.h"
#include "app/tray/frames/controls.h"
#include "app/tray/frames/culprit_finder.h"
#include "app/tray/frames/game_watch.h"
#include "app/tray/frames/recent.h"
#include "app/tray/frames/worst_table.h"
#include "app/tray/session/settings.h"
#include "app/tray/time/range_bar.h"
#include "app/tray/widgets/line_label.h"

namespace faultline {

class FramesWindow : public QMainWindow {
  Q_OBJECT
 public:
  FramesWindow(const WatchedProcess& process, SettingsStore& settings, const QString& collectorFolder = {},
               QWidget* parent = nullptr);
  ~FramesWindow() override;

  void select(std::uint64_t place);
  void selectWorst();
  void selectWorstShown();  // in the visible time
  void copySummary();
  void rememberLayout();

  [[nodiscard]] const GameWatch& watch() const { return m_watch; }
  [[nodiscard]] RecentFrames recent(MonotonicTime from) { return {m_watch, from}; }
  [[nodiscard]] std::optional<std::uint64_t> selected() const { return m_bars->selected(); }
  [[nodiscard]] bool culpritsShown() const { return m_culprits->culprits() != nullptr; }
  [[nodiscard]] TimeView& view() { return m_view; }
  [[nodiscard]] QString culpritLines();  // of the worst frames

 protected:
  void closeEvent(QCloseEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void changeEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void layOut();
  void buildStatusBar();
  void buildMenus();
  void connectAll();
  void restoreLayout();
  void arrived();
  void refresh();
  void refreshWords();
  [[nodiscard]] std::chrono::milliseconds redrawInterval() const;
  void showCulprits();
  void bringIntoView(std::uint64_t place);
  void setBudget(const QString& text);
  void setStacks(SampleMode stacks);
  void setEnd(const QString& text);
  void savePicture();
  void say(const Result<QString>& sentence);
  [[nodiscard]] auto saying() {
    return [this](const Result<QString>& sentence) { say(sentence); };
  }

  SettingsStore& m_settings;
  GameWatch m_watch;
  CulpritFinder m_finder;
  TimeView m_view;
  FrameControls* m_controls;
  FrameBars* m_bars;
  RangeBar* m_range;
  WorstTable* m_table;
  CulpritPanel* m_culprits;
  QSplitter* m_lower;
  QSplitter* m_whole;
  LineLabel* m_state;
  QToolButton* m_permission;
  QTimer m_redraw;  // the bars, many times per second
  QTimer m_settle;  // words and table, a few times per second
};

}  // namespace faultline
