// Items that the plots draw beside lines: the row of labels above a panel, which is both legend and readout, and the
// sentence in an empty panel.
#pragma once

#include <optional>
#include <vector>

#include "app/tray/plots/items/qcp.h"
#include "app/tray/widgets/shaped_texts.h"

namespace faultline {

struct Label {
  QString name;
  QString value;
  QColor colour;
  Qt::PenStyle line = Qt::NoPen;        // style of the line in the panel; NoPen: no swatch
  std::optional<std::size_t> pin = {};  // the pin whose shape the line has
};

// Shortens the longest names if room is scarce.
class LabelRow : public QCPAbstractItem {
 public:
  explicit LabelRow(QCPAxisRect* rect);

  void setGround(const QColor& ground) { m_ground = ground; }
  void setLabels(std::vector<Label> labels) { m_labels = std::move(labels); }
  // Shows the note in the middle of the panel, or after the title if there is no more room.
  void setNote(const QString& note, const QColor& colour, bool behindTitle);
  [[nodiscard]] QString spoken() const;  // the whole text, for screen readers
  [[nodiscard]] static int heightFor(const QFont& font);
  [[nodiscard]] int heightWithNote() const;     // with the note after the title, on one or more lines
  [[nodiscard]] QRect noteBehindTitle() const;  // place of that note

  double selectTest(const QPointF&, bool, QVariant*) const override { return -1; }

 protected:
  void draw(QCPPainter* painter) override;

 private:
  [[nodiscard]] int baseline() const { return m_rect->top() - 5; }
  [[nodiscard]] QRect noteSpace(const QFontMetrics& metrics) const;

  QCPAxisRect* m_rect;
  std::vector<Label> m_labels;
  ShapedTexts m_texts;
  QColor m_ground;
  QString m_note;
  QColor m_noteColour;
  bool m_noteBehindTitle = false;
};

// "80.0 k" -> "80 k", "2.50 GiB" -> "2.5 GiB": labels of round ticks need no further digits.
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

// Ticks at whole seconds, as labels without fractions have it.
class TimeTicker : public QCPAxisTickerDateTime {
 protected:
  double getTickStep(const QCPRange& range) override;
};

}  // namespace faultline
