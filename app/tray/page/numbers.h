// PageNumbers: the numbers of a process, a line each: name, last minute, value. A number that no sampler has on the
// system that measured has no line.
#pragma once

#include <QLabel>
#include <QWidget>
#include <array>
#include <vector>

#include "app/tray/page/minute_line.h"
#include "app/tray/processes/entry.h"
#include "core/monitor/monitor.h"

namespace faultline {

class PageNumbers : public QWidget {
  Q_OBJECT
 public:
  static constexpr std::array kColumns{
      Column::MinorRate,  Column::MajorRate,
      Column::ZeroedRate, static_cast<Column>(field(ProcessMetric::FreedBytes).rate.id),
      Column::Commit,     Column::Resident,
      Column::Threads,    static_cast<Column>(field(ProcessMetric::Mappings).level.id)};

  explicit PageNumbers(QWidget* parent = nullptr);

  void show(const ProcessEntry& entry, const CellContext& context, const History& history, MonotonicTime time);
  [[nodiscard]] QString value(Column column) const;

 protected:
  void changeEvent(QEvent* event) override;

 private:
  struct Line {
    QLabel* name;
    MinuteLine* minute;
    QLabel* value;
  };

  void applyTheme();

  std::vector<Line> m_lines;  // of kColumns
};

}  // namespace faultline
