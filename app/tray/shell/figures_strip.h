// FiguresStrip: the main numbers of the whole machine. Absent values are "–", with the reason in the tooltip.
#pragma once

#include <QLabel>
#include <QWidget>
#include <optional>

#include "core/monitor/monitor.h"

namespace faultline {

class FiguresStrip : public QWidget {
  Q_OBJECT
 public:
  explicit FiguresStrip(const Monitor& monitor, QWidget* parent = nullptr);

  // `ownCpu`: share of one core that the tray app has used lately; absent for data of the past.
  void refresh(std::optional<double> ownCpu);
  void showInstant(std::optional<MonotonicTime> instant);  // absent: the newest sample

 protected:
  void changeEvent(QEvent* event) override;

 private:
  class Value;
  class Caption;
  struct Figure {
    Value* value;
    Caption* caption;
  };

  Figure addFigure(const QString& caption, const QString& widest);
  void show(const Figure& figure, const std::optional<QString>& value, const QString& tip);
  static void rename(const Figure& figure, const QString& caption);
  static void setText(Value& label, const QString& text);
  [[nodiscard]] std::optional<double> rate(ProcessMetric metric) const;  // of all processes, per second
  void showFaults();
  void showUnattributed();
  void showZeroing();
  void showFaultTime();
  void showCommit();
  void showCpu();
  void applyTheme();

  const Monitor& m_monitor;
  std::optional<MonotonicTime> m_instant;
  std::optional<double> m_ownCpu;
  Figure m_minor{};
  Figure m_major{};
  Figure m_unattributed{};
  Figure m_zeroed{};
  Figure m_faultTime{};
  Figure m_commit{};
  Figure m_cpu{};
};

}  // namespace faultline
