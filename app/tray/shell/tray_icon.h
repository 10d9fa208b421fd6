// TrayIcon: the last minute in the panel. Redrawn at most twice a second and only when its pixels differ; every request
// that concerns the window leaves as a signal.
#pragma once

#include <QElapsedTimer>
#include <QImage>
#include <QMenu>
#include <QObject>
#include <QSystemTrayIcon>
#include <QTimer>
#include <memory>

#include "app/tray/session/session.h"
#include "app/tray/session/settings.h"
#include "app/tray/shell/icon_painter.h"
#include "app/tray/spikes/notifier.h"

namespace faultline {

class TrayIcon : public QObject {
  Q_OBJECT
 public:
  explicit TrayIcon(Session& session, QObject* parent = nullptr);
  ~TrayIcon() override;

  // Shows the icon as soon as the desktop has a tray; at login that may be some seconds after us.
  void start();
  [[nodiscard]] bool available() const { return m_available; }

  void apply(const Settings& settings);
  void setWindowVisible(bool visible);  // names the menu's first entry
  void notify(const Notification& notification);
  void sayItStays();  // after the window was closed for the first time

  // What is in the panel now, and how often that was changed.
  [[nodiscard]] const IconState& shown() const { return m_shown; }
  [[nodiscard]] quint64 redraws() const { return m_redraws; }
  [[nodiscard]] QString toolTip() const { return m_icon.toolTip(); }
  [[nodiscard]] QMenu& menu() { return *m_menu; }

 Q_SIGNALS:
  void availableChanged(bool available);
  void toggleWindowRequested();
  void snapshotRequested();
  void recordRequested(bool on);
  void settingsRequested();
  void quitRequested();
  void spikeRequested(quint64 spike);  // its notification was clicked

 private:
  void buildMenu();
  void lookForTray();
  void update();   // soon, but not too soon
  void refresh();  // now
  void updateMenu();
  void noteSpikes();
  [[nodiscard]] IconState state() const;
  [[nodiscard]] QString describe() const;

  Session& m_session;
  QSystemTrayIcon m_icon;
  std::unique_ptr<QMenu> m_menu;
  QAction* m_toggle = nullptr;
  QAction* m_pause = nullptr;
  QAction* m_record = nullptr;
  QTimer m_refreshTimer;
  QTimer m_spikeTimer;  // active while the diamond shows
  QTimer m_lookTimer;
  QElapsedTimer m_sinceRefresh;
  QElapsedTimer m_sinceToolTip;
  PanelInk m_ink = PanelInk::Automatic;
  IconState m_shown;
  QImage m_pixels;
  quint64 m_redraws = 0;
  quint64 m_notifiedSpike = 0;
  bool m_available = false;
};

// The name of `count` processes that fault most in this moment, worst first, one line each; never rich text.
[[nodiscard]] QString worstProcesses(const Moment& moment, std::size_t count);

}  // namespace faultline
