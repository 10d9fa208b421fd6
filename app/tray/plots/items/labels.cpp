#include "app/tray/plots/items/labels.h"

#include <algorithm>
#include <cmath>

#include "app/tray/plots/items/pin_marks.h"
#include "app/tray/widgets/spoken_value.h"
#include "core/text/quantity.h"

namespace faultline {
namespace {

constexpr int kSwatch = 14;
constexpr int kGap = 5;
constexpr int kBetween = 14;
constexpr int kLeastNote = 120;
constexpr int kLeastName = 7;  // average characters; below that, fewer labels are shown instead

struct Widths {
  bool title;  // never shortened
  int name;
  int value;  // with the blank before it
};

int widthOf(const QStaticText& text) {
  return static_cast<int>(std::ceil(text.size().width()));
}

Widths measured(const Label& label, ShapedTexts& texts, int blank) {
  const bool title = label.line == Qt::NoPen;
  return {title, widthOf(texts.of(label.name)), title ? 0 : blank + widthOf(texts.of(label.value))};
}

int widthOf(const Widths& widths, int nameLimit) {
  if (widths.title) return widths.name;
  return kSwatch + kGap + std::min(widths.name, nameLimit) + widths.value;
}

// The longest names with which all labels find room; at least `least`, so that names stay distinct.
int nameLimit(const std::vector<Widths>& labels, int room, int least) {
  int limit = room;
  for (; limit > least; limit -= limit / 8) {
    int width = -kBetween;
    for (const Widths& label : labels) width += kBetween + widthOf(label, limit);
    if (width <= room) break;
  }
  return limit;
}

}  // namespace

LabelRow::LabelRow(QCPAxisRect* rect) : QCPAbstractItem(rect->parentPlot()), m_rect(rect) {
  setClipToAxisRect(false);
}

void LabelRow::setNote(const QString& note, const QColor& colour, bool behindTitle) {
  m_note = note;
  m_noteColour = colour;
  m_noteBehindTitle = behindTitle;
}

int LabelRow::heightFor(const QFont& font) {
  return QFontMetrics(font).height() + 4;
}

// Space of the note after the title, relative to the row's left edge.
QRect LabelRow::noteSpace(const QFontMetrics& metrics) const {
  const int begin = m_labels.empty() ? 0 : metrics.horizontalAdvance(m_labels.front().name) + kBetween;
  const QRect room(begin, 0, std::max(m_rect->width() - begin, kLeastNote), QWIDGETSIZE_MAX);
  return metrics.boundingRect(room, Qt::TextWordWrap, m_note);
}

int LabelRow::heightWithNote() const {
  const QFontMetrics metrics(parentPlot()->font());
  return heightFor(parentPlot()->font()) - metrics.height() + noteSpace(metrics).height();
}

QString LabelRow::spoken() const {
  QStringList words;
  for (const Label& label : m_labels) {
    const QString value = spokenCell(label.value);
    words << (value.isEmpty() ? label.name : label.name + QLatin1Char(' ') + value);
  }
  if (!m_note.isEmpty()) words << m_note;
  return words.join(QStringLiteral(", "));
}

QRect LabelRow::noteBehindTitle() const {
  const QFontMetrics metrics(parentPlot()->font());
  return noteSpace(metrics).translated(m_rect->left(), baseline() - metrics.ascent());
}

void LabelRow::draw(QCPPainter* painter) {
  const QFont font = parentPlot()->font();
  const QFontMetrics metrics(font);
  painter->setFont(font);
  m_texts.setFont(font);
  const int baseline = this->baseline();
  const int top = baseline - metrics.ascent();
  const int blank = metrics.horizontalAdvance(QLatin1Char(' '));
  std::vector<Widths> widths;
  widths.reserve(m_labels.size());
  for (const Label& label : m_labels) widths.push_back(measured(label, m_texts, blank));
  const int limit = nameLimit(widths, m_rect->width(), kLeastName * metrics.averageCharWidth());
  int x = m_rect->left();
  for (std::size_t i = 0; i < m_labels.size(); ++i) {
    const Label& label = m_labels[i];
    const int width = widthOf(widths[i], limit);
    if (x + width > m_rect->right() + 1) {  // no label is better than half a number
      painter->setPen(m_labels.front().colour);
      painter->drawText(QPointF(x, baseline), QStringLiteral("…"));
      break;
    }
    int at = x;
    if (label.line != Qt::NoPen) {
      painter->setPen(QPen(label.colour, 2, label.line));
      const int y = baseline - metrics.ascent() / 3;
      painter->drawLine(QLineF(at, y, at + kSwatch, y));
      if (label.pin) paintPinShape(*painter, QPointF(at + kSwatch / 2.0, y), *label.pin, label.colour, m_ground);
      at += kSwatch + kGap;
    }
    const bool whole = widths[i].title || widths[i].name <= limit;
    const QStaticText name = m_texts.of(whole ? label.name : metrics.elidedText(label.name, Qt::ElideRight, limit));
    painter->setPen(label.colour);
    painter->drawStaticText(at, top, name);
    if (!widths[i].title) painter->drawStaticText(at + widthOf(name) + blank, top, m_texts.of(label.value));
    x += width + kBetween;
  }
  if (m_note.isEmpty()) return;
  painter->setPen(m_noteColour);
  if (m_noteBehindTitle) {
    painter->drawText(noteBehindTitle(), Qt::TextWordWrap, m_note);
  } else {
    painter->drawText(m_rect->rect().adjusted(8, 0, -8, 0), Qt::AlignCenter | Qt::TextWordWrap, m_note);
  }
}

QString roundLabel(QString text) {
  const QString decimal = QLocale().decimalPoint();
  const qsizetype point = text.indexOf(decimal);
  if (point < 0) return text;
  qsizetype end = point + decimal.size();
  while (end < text.size() && text[end].isDigit()) ++end;
  qsizetype keep = end;
  while (text[keep - 1].digitValue() == 0) --keep;
  if (keep == point + decimal.size()) keep = point;
  return text.remove(keep, end - keep);
}

QString durationLabel(double ns) {
  if (ns <= 0) return QStringLiteral("0 ms");
  return QString::fromStdString(formatDuration(ns));
}

void QuarterTicker::setTop(double top, int parts) {
  m_ticks.resize(parts + 1);
  for (int i = 0; i <= parts; ++i) m_ticks[i] = top * i / parts;
}

double TimeTicker::getTickStep(const QCPRange& range) {
  const double step = QCPAxisTickerDateTime::getTickStep(range);
  return step <= 1 ? 1 : step < 5 ? 5 : step;  // 2.5 s
}

}  // namespace faultline
