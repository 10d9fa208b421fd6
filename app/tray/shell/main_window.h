// MainWindow: figures, plots, spikes and the table of processes, for live data and recordings alike. Observes the
// session and passes the user's requests to it.
#pragma once

#include <QMainWindow>
#include <QSplitter>

#include "app/tray/beside/beside.h"
#include "app/tray/lab/lower_pane.h"
#include "app/tray/page/page.h"
#include "app/tray/plots/stack.h"
#include "app/tray/processes/pins.h"
#include "app/tray/session/close_up.h"
#include "app/tray/session/recent_actions.h"
#include "app/tray/session/session.h"
#include "app/tray/session/settings.h"
#include "app/tray/shell/figures_strip.h"
#include "app/tray/shell/session_actions.h"
#include "app/tray/shell/status_line.h"
#include "app/tray/spikes/list.h"
#include "app/tray/spikes/mutes.h"
#include "app/tray/time/range_bar.h"
#include "app/tray/time/view.h"
#include "app/tray/widgets/trouble_bar.h"
#include "platform/host/own_cpu.h"

namespace faultline {

class MainWindow : public QMainWindow {
  Q_OBJECT
 public:
  MainWindow(Session& session, SettingsStore& settings, QWidget* parent = nullptr);

  void goToSpike(const Spike& spike);  // shows its time and chooses its process
  [[nodiscard]] SpikeMutes& mutes() { return m_mutes; }
  [[nodiscard]] SidePage& page() { return *m_page; }
  void snapshotToCsv();
  void showLab(const QString& savedResult) { m_lower->showLab(savedResult); }
  void toggleRecording() { m_actions.toggleRecording(); }
  [[nodiscard]] RecentActions& recent() { return m_recent; }
  void openRecording(const QString& file, const QString& beside = {});
  [[nodiscard]] Beside& beside() { return *m_beside; }
  void warn(const QString& sentence);                                 // of a failure; stays until the user closes it
  void tell(const Result<QString>& saved);                            // in the status line, or as a failure
  void mention(const QString& sentence) { m_status->say(sentence); }  // for some seconds
  // false: closing the window ends the program.
  void setStaysInTray(bool stays) { m_staysInTray = stays; }
  void rememberLayout();
  [[nodiscard]] bool upToDate() const { return !m_refresh.isActive(); }

 Q_SIGNALS:
  void settingsRequested();
  void framesRequested(std::uint32_t pid, const QString& name, bool synthetic);
  void frameRecordingRequested(const QString& file);
  void quitRequested();
  void hiddenToTray();
  void visibilityChanged(bool visible);  // false also while minimized

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
  void connectAll();
  void restoreLayout();
  void ingested();
  void refresh();
  void showState();
  void showInstant();
  void showRecording();
  void follow(std::optional<ProcessKey> key);
  [[nodiscard]] auto telling() {
    return [this](const Result<QString>& saved) { tell(saved); };
  }
  void openGrant();

  Session& m_session;
  SettingsStore& m_settings;
  SessionActions m_actions;
  RecentActions m_recent;
  Pins m_pins;
  SpikeMutes m_mutes;
  TimeView m_view;
  CloseUp m_closeUp{m_session, m_view};
  TroubleBar* m_trouble;
  FiguresStrip* m_figures;
  PlotStack* m_plots;
  Beside* m_beside;
  RangeBar* m_range;
  SpikeList* m_spikes;
  ProcessTable* m_table;
  LowerPane* m_lower;
  SidePage* m_page;
  QWidget* m_pictures;  // plots and range
  QSplitter* m_left;    // these above the table or the lab
  QSplitter* m_side;    // spikes above the page
  QSplitter* m_whole;
  StatusLine* m_status;
  OwnCpu m_ownCpu;
  QTimer m_refresh;
  bool m_staysInTray = false;
};

}  // namespace faultline
