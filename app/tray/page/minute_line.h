// MinuteLine: the last minute of one number of a process as a filled line, from 0 to the highest value in it.
#pragma once

#include <QWidget>
#include <vector>

#include "core/history/history.h"

namespace faultline {

inline constexpr Nanoseconds kMinuteLineSpan = std::chrono::minutes(1);

class MinuteLine : public QWidget {
  Q_OBJECT
 public:
  explicit MinuteLine(QWidget* parent = nullptr);

  // Empty: draws nothing. `end`: the right edge.
  void setSeries(std::vector<Bucket> series, MonotonicTime end);
  [[nodiscard]] const std::vector<Bucket>& series() const { return m_series; }
  [[nodiscard]] QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  std::vector<Bucket> m_series;
  MonotonicTime m_end;
};

}  // namespace faultline
