// PlotStack: faults, the time they take, zeroing and commit above one another on one time axis, with a crosshair
// through all of them. Shows the whole machine and every pinned process, or only the process that is followed. Rebuilds
// from History at most once per turn of the event loop, and not at all while hidden.
#pragma once

#include <QToolButton>
#include <array>
#include <map>
#include <memory>
#include <optional>

#include "app/tray/plots/lines.h"
#include "app/tray/plots/panel.h"
#include "app/tray/plots/qcp.h"
#include "app/tray/processes/pins.h"
#include "app/tray/spikes/mutes.h"
#include "app/tray/time/hand.h"
#include "app/tray/time/view.h"
#include "app/tray/widgets/spoken_value.h"
#include "core/monitor/monitor.h"

namespace faultline {

class PlotStack : public QCustomPlot, public SpokenValue {
  Q_OBJECT
 public:
  PlotStack(const Monitor& monitor, const Pins& pins, TimeView& view, QWidget* parent = nullptr);

  void refresh();  // new data has come, or what is shown has changed
  void follow(std::optional<ProcessKey> key);
  [[nodiscard]] std::optional<ProcessKey> followed() const { return m_followed; }
  [[nodiscard]] QString spoken() const override;  // the values at the pointer, or those of now
  void rebuildNow();                              // what refresh() does later
  void setMutes(const SpikeMutes& mutes);
  // Something can be done about plots that nobody measures: a click on one of them asks for it.
  void offerGrant(bool offered);

 Q_SIGNALS:
  void spikeClicked(const faultline::Spike& spike);
  void remedyRequested();

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
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  void applyTheme();
  void rebuild();
  void setTimes();
  void showCursor();
  void labelAtCursor();
  void showMarks(double offset);
  void namePeaks(std::vector<SpikeMark>& marks, double offset);
  [[nodiscard]] bool shown(const Spike& spike) const;
  [[nodiscard]] QString causesAt(Panel panel, double x) const;
  void rescaleForHands();
  [[nodiscard]] std::vector<Line> linesOf(Panel panel, const std::vector<QString>& pins) const;
  [[nodiscard]] PlotPanel& panel(Panel which) const { return *m_panels[static_cast<std::size_t>(which)]; }
  [[nodiscard]] QString noteOf(Panel panel) const;
  void placeRemedies();
  [[nodiscard]] bool remedyAt(const QPointF& point) const;
  [[nodiscard]] QString toolTipAt(const QPointF& point) const;
  [[nodiscard]] std::vector<Bucket> buckets(std::optional<ProcessKey> key, ProcessMetric series) const;
  [[nodiscard]] MonotonicTime timeAt(double x) const;
  [[nodiscard]] const Spike* spikeNear(const QPointF& point) const;
  [[nodiscard]] bool dated() const;
  [[nodiscard]] double offset() const;

  const Monitor& m_monitor;
  const Pins& m_pins;
  const SpikeMutes* m_mutes = nullptr;
  std::map<MonotonicTime, QString> m_peakNames;  // who made a peak, by its sample
  TimeView& m_view;
  TimeHand m_hand{m_view};
  std::array<std::unique_ptr<PlotPanel>, kPanelCount> m_panels;
  QSharedPointer<QCPAxisTickerDateTime> m_times{new QCPAxisTickerDateTime};
  Theme m_theme;
  std::optional<ProcessKey> m_followed;
  std::pair<Nanoseconds, std::optional<ProcessKey>> m_scaledFor;  // the span and the process, as hands chose them
  bool m_dirty = false;
  bool m_remedy = false;
  std::array<QToolButton*, kPanelCount> m_remedies{};  // of the panels that may be empty
  bool m_reachedByKeys = false;                        // shows that it has the focus
  QTimer m_rebuildSoon;
};

}  // namespace faultline
