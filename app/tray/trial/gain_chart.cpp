#include "app/tray/trial/gain_chart.h"

#include <QPainter>
#include <algorithm>
#include <cmath>
#include <utility>

#include "app/tray/widgets/theme.h"

namespace faultline {
namespace {

constexpr double kLine = 1.5;        // of the font's height
constexpr double kLeastAxis = 0.05;  // that the axis reaches to, as a share

}  // namespace

QString percentOf(double share) {
  return QStringLiteral("%1 %").arg(100 * share, 0, 'f', std::abs(share) < 0.0995 ? 1 : 0);
}

GainChart::GainChart(Words words, QWidget* parent) : QWidget(parent), m_words(std::move(words)) {
  setAccessibleName(m_words.title);
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  hide();
}

void GainChart::show(std::vector<TryResult::Gain> gains) {
  m_gains = std::move(gains);
  setVisible(!m_gains.empty());
  updateGeometry();
  update();
  tellChange(*this);
}

QString GainChart::spoken() const {
  QStringList words;
  for (const auto& [remedy, share] : m_gains)
    words << m_words.spoken.arg(remedy, m_words.amount(share.median), m_words.amount(share.low),
                                m_words.amount(share.high));
  return words.join(QStringLiteral("; "));
}

QSize GainChart::sizeHint() const {
  const QFontMetrics metrics = fontMetrics();
  return {metrics.horizontalAdvance(u'0') * 60,
          static_cast<int>(kLine * metrics.height() * static_cast<double>(m_gains.size() + 1))};
}

void GainChart::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.setLayoutDirection(Qt::LeftToRight);  // as the bars lie
  const Theme theme = themeFor(palette());
  const QFontMetrics metrics = fontMetrics();
  const double line = kLine * metrics.height();
  int names = 0;
  int values = 0;
  double least = -kLeastAxis;
  double most = kLeastAxis;
  for (const auto& [remedy, share] : m_gains) {
    names = std::max(names, metrics.horizontalAdvance(remedy));
    values = std::max(values, metrics.horizontalAdvance(m_words.amount(share.median)));
    least = std::min(least, share.low);
    most = std::max(most, share.high);
  }
  const double left = names + metrics.height();
  const double wide = std::max(width() - left - values - metrics.height(), 1.0);
  const auto x = [&](double share) { return left + (share - least) / (most - least) * wide; };
  painter.setPen(theme.dimInk);
  painter.drawText(QRectF(left, 0, wide, line), Qt::AlignCenter, m_words.axis);
  painter.setPen(theme.grid);
  painter.drawLine(QPointF(x(0), line), QPointF(x(0), height()));
  double top = line;
  for (const auto& [remedy, share] : m_gains) {
    const bool proven = share.low > 0 || share.high < 0;
    const QColor ink = !proven ? theme.dimInk : share.low > 0 ? theme.commit : theme.spike;
    const QRectF bar(QPointF(std::min(x(0), x(share.median)), top + line * 0.25),
                     QPointF(std::max(x(0), x(share.median)), top + line * 0.75));
    painter.fillRect(bar, mixed(theme.base, ink, proven ? 0.6 : 0.3));
    painter.setPen(QPen(ink, 2));
    painter.drawLine(QPointF(x(share.low), bar.center().y()), QPointF(x(share.high), bar.center().y()));
    painter.setPen(theme.ink);
    painter.drawText(QRectF(0, top, names, line), Qt::AlignRight | Qt::AlignVCenter, remedy);
    painter.drawText(QRectF(width() - values, top, values, line), Qt::AlignRight | Qt::AlignVCenter,
                     m_words.amount(share.median));
    top += line;
  }
}

}  // namespace faultline
