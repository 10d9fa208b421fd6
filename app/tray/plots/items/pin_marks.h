// PinMarks: a few small shapes on the line of each pinned process, so that eight lines can be distinguished without
// colours.
#pragma once

#include <vector>

#include "app/tray/plots/items/qcp.h"
#include "core/history/history.h"

namespace faultline {

// Circle, square and two triangles, each filled, then each hollow; then again from the first.
void paintPinShape(QCPPainter& painter, QPointF at, std::size_t shape, const QColor& colour, const QColor& ground);

// The buckets with a shape if `span` is shown: a few at fixed times, or else the highest bucket. They do not change
// while data arrives. None is below `least`, where lines lie on the axis.
[[nodiscard]] std::vector<const Bucket*> markedBuckets(const std::vector<Bucket>& buckets, std::size_t shape,
                                                       Nanoseconds span, double least);

class PinMarks : public QCPAbstractItem {
 public:
  struct Mark {
    double key = 0;
    double value = 0;  // on the left axis
    std::size_t shape = 0;
    QColor colour;
  };

  explicit PinMarks(QCPAxisRect* rect) : QCPAbstractItem(rect->parentPlot()), m_rect(rect) { setClipToAxisRect(false); }

  void setGround(const QColor& ground) { m_ground = ground; }
  void setMarks(std::vector<Mark> marks) { m_marks = std::move(marks); }

  double selectTest(const QPointF&, bool, QVariant*) const override { return -1; }

 protected:
  void draw(QCPPainter* painter) override;

 private:
  QCPAxisRect* m_rect;
  QColor m_ground;
  std::vector<Mark> m_marks;
};

}  // namespace faultline
