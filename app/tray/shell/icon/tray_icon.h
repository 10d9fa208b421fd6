// TrayIcon: the last minute in the panel. Redrawn at most twice per second and only if its pixels differ. Requests for
// the window are signals.
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
#include "app/tray/shell/icon/painter.h"
#include "app/tray/shell/icon/trays.h"
#include "app/tray/spikes/notices.h"
#include "app/tray/spikes/notifier.h"

namespace faultline {

class TrayIcon : public QObject {
  Q_OBJECT
 public:
  explicit TrayIcon(Session& session, QObject* parent = nullptr);
  ~TrayIcon() override;

  // Shows the icon as soon as the desktop has a tray, which may come long after this program.
  void start();
  [[nodiscard]] bool available() const { return m_icon && m_trays.there(); }

  void apply(const Settings& settings);
  void setWindowVisible(bool visible);            // sets the text of the menu's first entry
  void notify(const Notification& notification);  // with buttons, where the desktop has them
  void say(const QString& title, const QString& text);
  void sayItStays();  // after the window was closed for the first time

  // The icon in the panel, and the number of its changes.
  [[nodiscard]] const IconState& shown() const { return m_shown; }
  [[nodiscard]] quint64 redraws() const { return m_redraws; }
  [[nodiscard]] QString toolTip() const { return m_toolTip; }
  [[nodiscard]] QMenu& menu() { return *m_menu; }

 Q_SIGNALS:
  void availableChanged(bool available);
  void toggleWindowRequested();
  void snapshotRequested();
  void recordRequested(bool on);
  void recentRequested();  // to save the last 10 minutes
  void settingsRequested();
  void quitRequested();
  void spikeRequested(quint64 spike);  // a click on the spike's notification
  void saveRequested(const faultline::Notification& spike);
  void muteRequested(const std::string& program);

 private:
  void buildMenu();
  void notifyPlainly(const Notification& notification);
  void traysChanged();
  void putInTray();
  void update();   // soon, but not too soon
  void refresh();  // now
  void updateMenu();
  void noteSpikes();
  [[nodiscard]] IconState state() const;
  [[nodiscard]] QString describe() const;

  Session& m_session;
  std::unique_ptr<QMenu> m_menu;
  Trays m_trays;
  Notices m_notices;
  std::unique_ptr<QSystemTrayIcon> m_icon;  // null until there is a tray
  QAction* m_toggle = nullptr;
  QAction* m_pause = nullptr;
  QAction* m_record = nullptr;
  QTimer m_refreshTimer;
  QTimer m_spikeTimer;  // active while the diamond is shown
  QElapsedTimer m_sinceRefresh;
  QElapsedTimer m_sinceToolTip;
  PanelInk m_ink = PanelInk::Automatic;
  IconState m_shown;
  QString m_toolTip;
  QImage m_pixels;
  quint64 m_redraws = 0;
  quint64 m_notifiedSpike = 0;
};

// The `count` processes with most faults in this moment, worst first, one line each; never rich text.
[[nodiscard]] QString worstProcesses(const Moment& moment, std::size_t count);

}  // namespace faultline
