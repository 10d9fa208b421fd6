#include "app/tray/ledger/parts_bar.h"

#include <QEvent>
#include <QPainter>
#include <QStringList>
#include <QStyle>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace faultline {
namespace {

constexpr int kGap = 6;           // between bar and legend
constexpr int kBetween = 16;      // two entries of the legend
constexpr double kPaleInk = 0.3;  // of the line's colour in the ground
constexpr double kFaint = 0.22;   // of the ink in the ground

QColor colourOf(PartInk ink, const Theme& theme) {
  switch (ink) {
    case PartInk::Computing:
      return mixed(theme.base, theme.minor, kPaleInk);
    case PartInk::OnProcessor:
      return theme.minor;
    case PartInk::Blocked:
      return theme.zeroing;
    case PartInk::GivingBack:
      return theme.commit;
    case PartInk::Waiting:
      return theme.major;
    case PartInk::Others:
      return theme.dimInk;
    case PartInk::Nobody:
      return mixed(theme.base, theme.ink, kFaint);
  }
  return theme.ink;
}

}  // namespace

PartsBar::PartsBar(QWidget* parent) : QWidget(parent) {
  QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
  hide();
}

void PartsBar::setParts(std::vector<Part> parts) {
  std::erase_if(parts, [](const Part& part) { return part.amount <= 0; });
  if (parts == m_parts) return;
  m_parts = std::move(parts);
  setVisible(!m_parts.empty());
  updateGeometry();
  update();
  tellChange(*this);
}

QString PartsBar::spoken() const {
  QStringList words;
  for (const Part& part : m_parts) words << part.text + u' ' + part.name;
  return words.join(QStringLiteral(", "));
}

std::vector<QRect> PartsBar::legend(int width) const {
  const QFontMetrics metrics = fontMetrics();
  const int line = metrics.height();
  QPoint at(0, line / 2 + kGap);
  std::vector<QRect> places;
  for (const Part& part : m_parts) {
    const int wide = line + metrics.horizontalAdvance(part.text + u' ' + part.name);
    if (at.x() > 0 && at.x() + wide > width) at = {0, at.y() + line + 2};
    places.emplace_back(at, QSize(std::min(wide, width), line));
    at.rx() += wide + kBetween;
  }
  return places;
}

int PartsBar::heightForWidth(int width) const {
  return m_parts.empty() ? 0 : legend(width).back().bottom() + 1;
}

QSize PartsBar::sizeHint() const {
  const int width = fontMetrics().horizontalAdvance(u'0') * 30;
  return {width, heightForWidth(width)};
}

QSize PartsBar::minimumSizeHint() const {
  return {fontMetrics().horizontalAdvance(u'0') * 16, fontMetrics().height() * 2};
}

void PartsBar::paintEvent(QPaintEvent* /*event*/) {
  if (m_parts.empty()) return;
  QPainter painter(this);
  const Theme theme = themeFor(palette());
  const int line = fontMetrics().height();
  const double whole = std::accumulate(m_parts.begin(), m_parts.end(), 0.0,
                                       [](double sum, const Part& each) { return sum + each.amount; });
  const auto mirrored = [this](const QRect& place) { return QStyle::visualRect(layoutDirection(), rect(), place); };
  const std::vector<QRect> places = legend(width());
  double before = 0;
  for (std::size_t i = 0; i < m_parts.size(); ++i) {
    const Part& part = m_parts[i];
    const QColor colour = colourOf(part.ink, theme);
    const int left = static_cast<int>(std::lround(before / whole * width()));
    before += part.amount;
    const int right = static_cast<int>(std::lround(before / whole * width()));
    const int apart = i + 1 < m_parts.size() && right - left > 2 ? 1 : 0;
    painter.fillRect(mirrored({left, 0, std::max(right - left - apart, 1), line / 2 + 2}), colour);
    QRect place = places[i];
    const int side = line / 2 + 1;
    painter.fillRect(mirrored({place.left(), place.top() + (line - side) / 2, side, side}), colour);
    place.setLeft(place.left() + side + line / 4);
    painter.setPen(theme.ink);
    painter.drawText(mirrored(place), static_cast<int>(Qt::AlignVCenter | Qt::AlignLeading),
                     fontMetrics().elidedText(part.text + u' ' + part.name, Qt::ElideRight, place.width()));
  }
}

bool PartsBar::event(QEvent* event) {
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) updateGeometry();
  return QWidget::event(event);
}

}  // namespace faultline
