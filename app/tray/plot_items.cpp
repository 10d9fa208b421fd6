#include "app/tray/plot_items.h"

namespace faultline {
namespace {

constexpr int kSwatch = 14;
constexpr int kGap = 5;
constexpr int kBetween = 16;

}  // namespace

LabelRow::LabelRow(QCPAxisRect* rect) : QCPAbstractItem(rect->parentPlot()), m_rect(rect) {
  setClipToAxisRect(false);
}

void LabelRow::setNote(const QString& note, const QColor& colour) {
  m_note = note;
  m_noteColour = colour;
}

int LabelRow::heightFor(const QFont& font) {
  return QFontMetrics(font).height() + 4;
}

void LabelRow::draw(QCPPainter* painter) {
  const QFont font = parentPlot()->font();
  const QFontMetrics metrics(font);
  painter->setFont(font);
  const int baseline = m_rect->top() - 5;
  int x = m_rect->left();
  for (const Label& label : m_labels) {
    if (label.line != Qt::NoPen) {
      painter->setPen(QPen(label.colour, 2, label.line));
      const int y = baseline - metrics.ascent() / 3;
      painter->drawLine(QLineF(x, y, x + kSwatch, y));
      x += kSwatch + kGap;
    }
    const int width = metrics.horizontalAdvance(label.text);
    if (x + width > m_rect->right() + 1) break;  // rather no label than half a number
    painter->setPen(label.colour);
    painter->drawText(x, baseline, label.text);
    x += width + kBetween;
  }
  if (!m_note.isEmpty()) {
    painter->setPen(m_noteColour);
    painter->drawText(m_rect->rect().adjusted(8, 0, -8, 0), Qt::AlignCenter | Qt::TextWordWrap, m_note);
  }
}

QString roundLabel(QString text) {
  const qsizetype point = text.indexOf(QLatin1Char('.'));
  if (point < 0) return text;
  qsizetype end = point + 1;
  while (end < text.size() && text[end].isDigit()) ++end;
  qsizetype keep = end;
  while (text[keep - 1] == QLatin1Char('0')) --keep;
  if (keep - 1 == point) keep = point;
  return text.remove(keep, end - keep);
}

void QuarterTicker::setTop(double top, int parts) {
  m_ticks.resize(parts + 1);
  for (int i = 0; i <= parts; ++i) m_ticks[i] = top * i / parts;
}

}  // namespace faultline
