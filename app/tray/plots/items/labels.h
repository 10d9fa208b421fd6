// What the plots draw beside lines: the row of labels above a panel that is legend and readout in one, and the sentence
// in an empty panel.
#pragma once

#include <optional>
#include <vector>

#include "app/tray/plots/items/qcp.h"

namespace faultline {

struct Label {
  QString name;
  QString value;
  QColor colour;
  Qt::PenStyle line = Qt::NoPen;        // how its line is drawn in the panel; NoPen: no swatch
  std::optional<std::size_t> pin = {};  // whose shape its line has
};

// Where room is scarce, the longest names are shortened.
class LabelRow : public QCPAbstractItem {
 public:
  explicit LabelRow(QCPAxisRect* rect);

  void setGround(const QColor& ground) { m_ground = ground; }
  void setLabels(std::vector<Label> labels) { m_labels = std::move(labels); }
  // In the middle of the panel, or behind the title where that is all there is room for.
  void setNote(const QString& note, const QColor& colour, bool behindTitle);
  [[nodiscard]] QString spoken() const;  // all that is written here
  [[nodiscard]] static int heightFor(const QFont& font);
  [[nodiscard]] int heightWithNote() const;     // behind the title, in as many lines as it takes
  [[nodiscard]] QRect noteBehindTitle() const;  // where it is drawn

  double selectTest(const QPointF&, bool, QVariant*) const override { return -1; }

 protected:
  void draw(QCPPainter* painter) override;

 private:
  [[nodiscard]] int baseline() const { return m_rect->top() - 5; }
  [[nodiscard]] QRect noteSpace(const QFontMetrics& metrics) const;

  QCPAxisRect* m_rect;
  std::vector<Label> m_labels;
  QColor m_ground;
  QString m_note;
  QColor m_noteColour;
  bool m_noteBehindTitle = false;
};

// "80.0 k" -> "80 k", "2.50 GiB" -> "2.5 GiB": ticks are round, their labels need no more digits than that.
[[nodiscard]] QString roundLabel(QString text);

[[nodiscard]] QString durationLabel(double ns);  // "12.4 ms", "0 ms"

// Ticks at the quarters (or halves) of [0, top], labelled by a function.
class QuarterTicker : public QCPAxisTicker {
 public:
  using Format = QString (*)(double);

  explicit QuarterTicker(Format format) : m_format(format) {}
  void setTop(double top, int parts);

 protected:
  QVector<double> createTickVector(double, const QCPRange&) override { return m_ticks; }
  QString getTickLabel(double tick, const QLocale&, QChar, int) override { return roundLabel(m_format(tick)); }
  int getSubTickCount(double) override { return 0; }

 private:
  Format m_format;
  QVector<double> m_ticks;
};

}  // namespace faultline
