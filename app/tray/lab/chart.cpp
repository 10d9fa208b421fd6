#include "app/tray/lab/chart.h"

#include <QEvent>
#include <algorithm>

#include "app/tray/widgets/theme.h"
#include "core/lab/view/comparison.h"
#include "core/text/quantity.h"

namespace faultline {
namespace {

constexpr double kWidth = 0.62;         // of a bar, in keys
constexpr double kHalfWidth = 0.36;     // beside that of another machine
constexpr int kValueGap = 6;            // pixels
constexpr double kMostForValues = 0.7;  // of the width
constexpr double kLineHeights = 1.7;    // of a bar with its room

LabSpread each(LabSpread spread, const LabRow& row, const LabGroup& group) {
  const double amount = group.unit.empty() ? 1 : static_cast<double>(row.amount);
  return {.median = spread.median / amount, .low = spread.low / amount, .high = spread.high / amount};
}

QString timeText(double ns) {
  return QString::fromStdString(formatDuration(ns));
}

}  // namespace

LabChart::LabChart(QWidget* parent) : QCustomPlot(parent) {
  setAccessibleName(tr("Chart of the times"));
  axisRect()->setAutoMargins(QCP::msLeft);
  xAxis->setVisible(false);
  yAxis->setRangeReversed(true);
  yAxis->setTickPen(Qt::NoPen);
  yAxis->setSubTickPen(Qt::NoPen);
  yAxis->grid()->setVisible(false);
  connect(this, &QCustomPlot::afterLayout, this, &LabChart::fitValues);
}

void LabChart::setGroup(const LabReport& report, const LabGroup& group, const LabReport* other) {
  m_bars.clear();
  m_spoken.clear();
  m_compares = false;
  for (const std::size_t place : group.rows) {
    const LabRow& row = report.rows[place];
    const LabPair pair = pairOf(row, other);
    Bar bar{.name = QString::fromStdString(group.ofWay ? row.phase : row.way), .here = {}, .there = {}};
    if (pair.here) bar.here = each(*pair.here, row, group);
    if (pair.there) bar.there = each(*pair.there, row, group);
    m_compares |= bar.there.has_value();
    QString line = bar.name + QStringLiteral(": ") + (bar.here ? timeText(bar.here->median) : QStringLiteral("–"));
    if (bar.there) line += tr(", other machine %1").arg(timeText(bar.there->median));
    m_spoken << line;
    m_bars.push_back(std::move(bar));
  }
  setAccessibleDescription(m_spoken.join(QStringLiteral("; ")));
  redraw();
}

void LabChart::redraw() {
  clearPlottables();
  clearItems();
  const Theme theme = themeFor(palette());
  setBackground(theme.base);
  yAxis->setBasePen(QPen(theme.grid));
  yAxis->setTickLabelColor(theme.ink);
  yAxis->setTickLabelFont(font());
  const QSharedPointer<QCPAxisTickerText> names(new QCPAxisTickerText);
  m_longest = 0;
  m_valueWidth = 0;
  for (std::size_t i = 0; i < m_bars.size(); ++i) {
    names->addTick(static_cast<double>(i), m_bars[i].name);
    for (const auto& spread : {m_bars[i].here, m_bars[i].there})
      if (spread) m_longest = std::max(m_longest, spread->high);
  }
  yAxis->setTicker(names);
  addBars(false);
  if (m_compares) addBars(true);
  setMinimumHeight(static_cast<int>((static_cast<double>(m_bars.size()) + 1) * barHeight()));
  fitBars();
  replot(QCustomPlot::rpQueuedReplot);
}

double LabChart::barHeight() const {
  return fontMetrics().height() * kLineHeights * (m_compares ? 2 : 1);
}

// Few bars stand at the top instead of growing thick.
void LabChart::fitBars() {
  const double room = std::max(static_cast<double>(m_bars.size()), height() / barHeight());
  yAxis->setRange(-0.6, room - 0.4);
}

// The values stand right of the bars, whatever the width.
void LabChart::fitValues() {
  const double width = std::max(axisRect()->width(), 1);
  const double room = std::min((m_valueWidth + 2 * kValueGap) / width, kMostForValues);
  xAxis->setRange(0, m_longest > 0 ? m_longest / (1 - room) : 1);
}

// The other machine's bars are hollow, and below.
void LabChart::addBars(bool there) {
  const Theme theme = themeFor(palette());
  auto* bars = new QCPBars(yAxis, xAxis);
  auto* quartiles = new QCPErrorBars(yAxis, xAxis);
  quartiles->setDataPlottable(bars);
  quartiles->setErrorType(QCPErrorBars::etValueError);
  const double width = m_compares ? kHalfWidth : kWidth;
  const double shift = !m_compares ? 0 : there ? width / 2 + 0.02 : -width / 2 - 0.02;
  bars->setWidth(width);
  bars->setAntialiased(false);
  const QColor colour = there ? theme.commit : theme.minor;
  bars->setPen(QPen(colour, there ? 1 : 0));
  bars->setBrush(there ? QBrush(Qt::NoBrush) : QBrush(colour));
  quartiles->setPen(QPen(theme.ink, 1));
  quartiles->setWhiskerWidth(fontMetrics().height() * 0.4);
  QVector<double> keys;
  QVector<double> values;
  QVector<double> below;
  QVector<double> above;
  for (std::size_t i = 0; i < m_bars.size(); ++i) {
    const auto& spread = there ? m_bars[i].there : m_bars[i].here;
    if (!spread) continue;
    keys.append(static_cast<double>(i) + shift);
    values.append(spread->median);
    below.append(spread->median - spread->low);
    above.append(spread->high - spread->median);
    addValue(*spread, keys.last(), timeText(spread->median));
  }
  bars->setData(keys, values, true);
  quartiles->setData(below, above);
}

void LabChart::addValue(const LabSpread& spread, double key, const QString& text) {
  auto* value = new QCPItemText(this);
  value->setFont(font());
  value->setColor(themeFor(palette()).ink);
  value->setText(text);
  m_valueWidth = std::max(m_valueWidth, fontMetrics().horizontalAdvance(text));
  value->setPositionAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  value->setPadding(QMargins(kValueGap, 0, 0, 0));
  value->position->setAxes(xAxis, yAxis);
  value->position->setCoords(spread.high, key);
}

void LabChart::resizeEvent(QResizeEvent* event) {
  fitBars();
  QCustomPlot::resizeEvent(event);
}

void LabChart::changeEvent(QEvent* event) {
  QCustomPlot::changeEvent(event);
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) redraw();
}

}  // namespace faultline
