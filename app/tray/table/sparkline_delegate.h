// SparklineDelegate: a process's last minute of minor faults as a filled silhouette, spikes as dots. Asks History only
// for rows that are painted.
#pragma once

#include <map>
#include <vector>

#include "app/tray/table/cell_delegate.h"
#include "core/monitor/monitor.h"

namespace faultline {

class SparklineDelegate : public CellDelegate {
  Q_OBJECT
 public:
  SparklineDelegate(const Monitor& monitor, QObject* parent);

  void setTime(MonotonicTime end);  // the right edge
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

 private:
  // Grows at once and shrinks slowly, so that the picture does not jump when a burst leaves at the left.
  struct Scale {
    double top = 0;
    MonotonicTime time;
  };

  // The columns of pixels in time: `count` columns, each `step` wide; the last ends at `end`.
  struct Grid {
    std::size_t count = 0;
    Nanoseconds step{1};
    MonotonicTime end;
  };

  [[nodiscard]] std::vector<double> rates(const ProcessKey& key, const Grid& grid) const;
  [[nodiscard]] double scaleTop(const ProcessKey& key, double highest) const;
  void paintSilhouette(QPainter* painter, const std::vector<double>& rates, double top, const QRectF& space) const;
  void paintSpikes(QPainter* painter, const ProcessKey& key, const QRectF& space, MonotonicTime end) const;
  [[nodiscard]] QColor ink(const QModelIndex& index) const;

  const Monitor& m_monitor;
  MonotonicTime m_end;
  std::multimap<ProcessKey, MonotonicTime> m_spikes;  // peaks within the minute
  mutable std::map<ProcessKey, Scale> m_scales;
};

}  // namespace faultline
