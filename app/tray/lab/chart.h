// LabChart: the times of one group of a report as bars, with their quartiles; beside each the bar of another machine,
// if there is one.
#pragma once

#include <optional>

#include "app/tray/plots/items/qcp.h"
#include "core/lab/report.h"
#include "core/lab/summary.h"
#include "core/lab/view/groups.h"

namespace faultline {

class LabChart : public QCustomPlot {
  Q_OBJECT
 public:
  explicit LabChart(QWidget* parent = nullptr);

  void setGroup(const LabReport& report, const LabGroup& group, const LabReport* other);
  [[nodiscard]] QStringList spoken() const { return m_spoken; }  // a line for each bar

 protected:
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  struct Bar {
    QString name;
    std::optional<LabSpread> here;
    std::optional<LabSpread> there;
  };

  void redraw();
  void fitBars();
  void fitValues();
  [[nodiscard]] double barHeight() const;  // with its room, in pixels
  void addBars(bool there);
  void addValue(const LabSpread& spread, double key, const QString& text);

  std::vector<Bar> m_bars;
  bool m_compares = false;
  double m_longest = 0;  // bar with its quartile
  int m_valueWidth = 0;  // of the widest, in pixels
  QStringList m_spoken;
};

}  // namespace faultline
