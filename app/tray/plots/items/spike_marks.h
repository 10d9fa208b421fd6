// SpikeMarks: a diamond at the peak of each spike, small and hollow where the spike repeats a habit, and the culprit's
// name beside the biggest spikes and the highest peaks, if there is room.
#pragma once

#include <optional>
#include <vector>

#include "app/tray/plots/items/qcp.h"
#include "app/tray/widgets/shaped_texts.h"
#include "app/tray/widgets/theme.h"
#include "core/base/units.h"

namespace faultline {

struct SpikeMark {
  MonotonicTime time;
  double key = 0;     // the same, on the time axis
  double value = 0;   // on the left axis
  double weight = 0;  // of two that overlap, the heavier keeps its name
  QString name;
  bool flagged = true;  // a spike; else a high peak, which has a name but no diamond
  bool again = false;   // a spike that repeats a habit, with a name only if it is a high peak
};

// Of that size, within the plot, and touching none of those taken.
[[nodiscard]] std::optional<QRectF> placeOfName(const QPointF& mark, const QSizeF& size, const QRectF& plot,
                                                const std::vector<QRectF>& taken);

class SpikeMarks : public QCPAbstractItem {
 public:
  explicit SpikeMarks(QCPAxisRect* rect) : QCPAbstractItem(rect->parentPlot()), m_rect(rect) {
    setClipToAxisRect(false);
  }

  void setTheme(const Theme& theme) { m_theme = theme; }
  void setMarks(std::vector<SpikeMark> marks);

  double selectTest(const QPointF&, bool, QVariant*) const override { return -1; }

 protected:
  void draw(QCPPainter* painter) override;

 private:
  struct Placed {
    const SpikeMark* mark = nullptr;
    QPointF at;
    QString name;
  };

  [[nodiscard]] std::vector<Placed> placed() const;
  void drawNames(QCPPainter* painter, const std::vector<Placed>& marks);
  [[nodiscard]] QPointF place(const SpikeMark& mark) const;

  QCPAxisRect* m_rect;
  Theme m_theme;
  ShapedTexts m_texts;
  std::vector<SpikeMark> m_marks;  // heaviest first
};

}  // namespace faultline
