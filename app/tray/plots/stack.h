// PlotStack: plots of faults, fault time, zeroing and commit on one time axis, with one crosshair. Shows the whole
// machine and every pinned process, or only the followed process. Rebuilds from History at most once per turn of the
// event loop, and never while hidden.
#pragma once

#include <array>
#include <memory>
#include <optional>

#include "app/tray/plots/grant_offer.h"
#include "app/tray/plots/highlights.h"
#include "app/tray/plots/items/labels.h"
#include "app/tray/plots/panel.h"
#include "app/tray/plots/series.h"
#include "app/tray/time/hand.h"
#include "app/tray/widgets/key_focus.h"
#include "app/tray/widgets/spoken_value.h"
#include "core/monitor/monitor.h"

namespace faultline {

class PlotStack : public QCustomPlot, public SpokenValue {
  Q_OBJECT
 public:
  PlotStack(const Monitor& monitor, const Pins& pins, TimeView& view, QWidget* parent = nullptr);

  void refresh();     // call it for new data; rebuilds in the next turn of the event loop
  void rebuildNow();  // if refresh() was called
  void follow(std::optional<ProcessKey> key);
  [[nodiscard]] std::optional<ProcessKey> followed() const { return m_series.followed(); }
  [[nodiscard]] QString spoken() const override;  // the values at the pointer, else at the table's instant
  void setBeside(std::optional<BesideRun> run);   // absent: none; its monitor must live until then
  void setMutes(const SpikeMutes& mutes);
  // A click on a plot stops the view there; if it is not measured, requests the permission or the reason.
  void offerGrant(bool offered);
  void paintStill(QCPPainter& painter);  // without the pointer's crosshair

 Q_SIGNALS:
  void spikeClicked(const faultline::Spike& spike);
  void grantRequested();
  void whyRequested();

 protected:
  bool event(QEvent* event) override;
  void changeEvent(QEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  void addPanels();
  void applyTheme();
  void rebuild();
  void setTimes();
  void showCursor();
  void labelAtCursor();
  void rescaleForHands();
  void placeButtons();
  [[nodiscard]] PlotPanel& panel(Panel which) const { return *m_panels[static_cast<std::size_t>(which)]; }
  [[nodiscard]] std::optional<Panel> panelAt(const QPointF& point) const;
  [[nodiscard]] bool unmeasuredAt(const QPointF& point) const;
  [[nodiscard]] const Spike* spikeAt(const QPointF& point) const;
  [[nodiscard]] QString toolTipAt(const QPointF& point) const;
  [[nodiscard]] QString causesAt(Panel panel, double x) const;
  [[nodiscard]] MonotonicTime timeAt(double x) const;  // the nearest visible time
  [[nodiscard]] bool dated() const;
  [[nodiscard]] double offset() const;

  const Monitor& m_monitor;
  TimeView& m_view;
  TimeHand m_hand{m_view};
  PlotSeries m_series;
  Highlights m_highlights;
  GrantOffer m_grant;
  std::array<std::unique_ptr<PlotPanel>, kPanelCount> m_panels;
  QSharedPointer<TimeTicker> m_times{new TimeTicker};
  Theme m_theme;
  std::pair<Nanoseconds, std::optional<ProcessKey>> m_scaledFor;  // the chosen span and process
  bool m_dirty = false;
  KeyFocus m_focus{*this};
  QTimer m_rebuildSoon;
};

}  // namespace faultline
