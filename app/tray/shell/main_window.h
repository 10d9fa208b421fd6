// MainWindow: figures, plots, spikes and the table of processes, for live data and recordings alike. It observes the
// session and asks it for things; it computes nothing and holds no data of its own.
#pragma once

#include <QLabel>
#include <QMainWindow>
#include <QProgressBar>
#include <QSplitter>
#include <QTimer>
#include <QToolButton>

#include "app/tray/plots/stack.h"
#include "app/tray/processes/pins.h"
#include "app/tray/session/session.h"
#include "app/tray/session/settings.h"
#include "app/tray/shell/figures_strip.h"
#include "app/tray/spikes/list.h"
#include "app/tray/spikes/mutes.h"
#include "app/tray/table/table.h"
#include "app/tray/time/range_bar.h"
#include "app/tray/time/view.h"
#include "app/tray/widgets/line_label.h"
#include "app/tray/widgets/trouble_bar.h"
#include "platform/host/own_cpu.h"

namespace faultline {

class MainWindow : public QMainWindow {
  Q_OBJECT
 public:
  MainWindow(Session& session, SettingsStore& settings, QWidget* parent = nullptr);

  // Stops time there and chooses its process.
  void goToSpike(const Spike& spike);
  [[nodiscard]] const SpikeMutes& mutes() const { return m_mutes; }
  void snapshotToCsv();
  void toggleRecording();
  void openRecording(const QString& file);
  void say(const QString& sentence);   // what has been done, for some seconds in the status bar
  void warn(const QString& sentence);  // what has gone wrong, until it has been read
  // While no tray holds the program, closing the window ends it.
  void setStaysInTray(bool stays) { m_staysInTray = stays; }
  void rememberLayout();

 Q_SIGNALS:
  void settingsRequested();
  void framesRequested(std::uint32_t pid, const QString& name, bool synthetic);
  void quitRequested();
  void hiddenToTray();
  void visibilityChanged(bool visible);  // minimized is not visible

 protected:
  void closeEvent(QCloseEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;
  void changeEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  void layOut();
  void buildFileMenu();
  void buildViewMenu();
  void buildChoiceMenus();
  void buildHelpMenu();
  void buildStatusBar();
  void connectAll();
  void ingested();
  void refresh();
  void showState();
  void showRecording();
  void follow(std::optional<ProcessKey> key);
  void chooseRecording();
  void exportRange(std::size_t number);
  void savePicture();
  void copyPicture();
  void copySummary();
  void showQuality();
  void showGrant();
  void about();
  bool writeFile(const QString& file, const std::string& bytes);

  Session& m_session;
  SettingsStore& m_settings;
  Pins m_pins;
  SpikeMutes m_mutes;
  TimeView m_view;
  TroubleBar* m_trouble;
  FiguresStrip* m_figures;
  PlotStack* m_plots;
  RangeBar* m_range;
  SpikeList* m_spikes;
  ProcessTable* m_table;
  QSplitter* m_upper;
  QSplitter* m_whole;
  LineLabel* m_state;
  QLabel* m_recordingState;
  QToolButton* m_followState;
  QToolButton* m_grant;
  QProgressBar* m_progress;
  QToolButton* m_cancel;
  QAction* m_pause = nullptr;
  QAction* m_record = nullptr;
  QAction* m_backToLive = nullptr;
  OwnCpu m_ownCpu;
  bool m_staysInTray = false;
};

}  // namespace faultline
