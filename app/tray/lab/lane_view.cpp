#include "app/tray/lab/lane_view.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>

#include "app/tray/widgets/plain_text.h"
#include "core/text/quantity.h"

namespace faultline {
namespace {

constexpr int kGap = 8;
constexpr double kLeast = 1.6;  // height of a lane, in lines of text
constexpr double kMost = 4;
constexpr int kTimes = 5;  // on the axis
constexpr int kFull = 100;

QString durationText(Nanoseconds time) {
  return QString::fromStdString(formatDuration(time));
}

// The first of `count` columns in pixel x of `width`.
std::size_t columnAt(int x, int width, std::size_t count) {
  return static_cast<std::size_t>(x) * count / static_cast<std::size_t>(width);
}

}  // namespace

LaneView::LaneView(QWidget* parent) : QWidget(parent), m_theme(themeFor(palette())) {
  setAccessibleName(tr("Faults of each thread"));
}

void LaneView::setPicture(const LanePicture& picture) {
  m_picture = picture;
  fit();
  tellChange(*this);
  update();
}

void LaneView::fit() {
  m_names = 0;
  for (const LanePicture::Lane& lane : m_picture.lanes)
    m_names = std::max(m_names, fontMetrics().horizontalAdvance(QString::fromStdString(printableName(lane.thread))));
  const double lanes = static_cast<double>(m_picture.lanes.size()) * kLeast + 2;
  setMinimumHeight(static_cast<int>(lanes * fontMetrics().height()) + kGap);
}

QString LaneView::spoken() const {
  QStringList lines;
  for (const LanePicture::Lane& lane : m_picture.lanes)
    lines << tr("%1: %2 faults, the longest %3")
                 .arg(QString::fromStdString(printableName(lane.thread)),
                      QString::fromStdString(formatCount(lane.faults)), durationText(lane.longest));
  return lines.join(QStringLiteral("; "));
}

QRect LaneView::laneAt(std::size_t lane) const {
  const double line = fontMetrics().height();
  const double room = (this->height() - 2 * line) / static_cast<double>(m_picture.lanes.size());
  const auto height = static_cast<int>(std::clamp(room, kLeast * line, kMost * line));
  return {m_names + 2 * kGap, kGap / 2 + static_cast<int>(lane) * height, std::max(1, width() - m_names - 3 * kGap),
          height - kGap / 2};
}

Nanoseconds LaneView::timeAt(double share) const {
  return Nanoseconds(static_cast<std::int64_t>(share * static_cast<double>(m_picture.took.count())));
}

void LaneView::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.fillRect(rect(), m_theme.base);
  if (m_picture.lanes.empty()) return;
  for (std::size_t lane = 0; lane < m_picture.lanes.size(); ++lane) paintLane(painter, lane);
  paintResumes(painter);
  paintTimes(painter);
}

// A pixel shows the fullest of its columns.
void LaneView::paintLane(QPainter& painter, std::size_t lane) const {
  const QRect area = laneAt(lane);
  const auto& inside = m_picture.lanes[lane].inside;
  painter.fillRect(area, mixed(m_theme.base, m_theme.grid, 0.35));
  painter.setPen(m_theme.ink);
  painter.drawText(QRect(kGap, area.top(), m_names, area.height()), Qt::AlignVCenter | Qt::AlignLeft,
                   QString::fromStdString(printableName(m_picture.lanes[lane].thread)));
  if (inside.empty()) return;
  for (int x = 0; x < area.width(); ++x) {
    const std::size_t first = columnAt(x, area.width(), inside.size());
    const std::size_t last = std::max(first + 1, columnAt(x + 1, area.width(), inside.size()));
    const int share = *std::max_element(inside.begin() + static_cast<std::ptrdiff_t>(first),
                                        inside.begin() + static_cast<std::ptrdiff_t>(last));
    if (share == 0) continue;
    const int height = std::max(1, area.height() * std::min(share, kFull) / kFull);
    painter.fillRect(QRect(area.left() + x, area.bottom() + 1 - height, 1, height), m_theme.minor);
  }
}

void LaneView::paintResumes(QPainter& painter) const {
  const QRect first = laneAt(0);
  const QRect last = laneAt(m_picture.lanes.size() - 1);
  for (const LanePicture::Resume& resume : m_picture.resumed) {
    const double share = (static_cast<double>(std::min(resume.column, kLaneColumns)) + 0.5) / kLaneColumns;
    const int x = first.left() + static_cast<int>(share * first.width());
    painter.fillRect(QRect(QPoint(x, first.top()), QPoint(x, last.bottom() + kGap / 2)), m_theme.major);
  }
}

void LaneView::paintTimes(QPainter& painter) const {
  const QRect last = laneAt(m_picture.lanes.size() - 1);
  painter.setPen(m_theme.dimInk);
  for (int i = 0; i < kTimes; ++i) {
    const double share = static_cast<double>(i) / (kTimes - 1);
    const QString words = i == 0 ? QStringLiteral("0") : durationText(timeAt(share));
    const int wide = fontMetrics().horizontalAdvance(words);
    const int middle = last.left() + static_cast<int>(share * last.width()) - wide / 2;
    const int x = std::clamp(middle, last.left(), std::max(last.left(), last.right() - wide));
    painter.drawText(x, last.bottom() + kGap + fontMetrics().ascent(), words);
  }
}

QString LaneView::textAt(const QPoint& place) const {
  for (std::size_t lane = 0; lane < m_picture.lanes.size(); ++lane) {
    const QRect area = laneAt(lane);
    const auto& inside = m_picture.lanes[lane].inside;
    if (inside.empty() || !area.contains(place)) continue;
    const std::size_t column = columnAt(place.x() - area.left(), area.width(), inside.size());
    const double columns = static_cast<double>(inside.size());
    QString text = tr("%1, %2 after the begin: %3 % of %4 inside faults")
                       .arg(QString::fromStdString(printableName(m_picture.lanes[lane].thread)),
                            durationText(timeAt(static_cast<double>(column) / columns)))
                       .arg(inside[column])
                       .arg(durationText(timeAt(1 / columns)));
    const std::size_t near = columnAt(2, area.width(), kLaneColumns) + 1;
    for (const LanePicture::Resume& resume : m_picture.resumed)
      if (resume.column + near >= column && resume.column <= column + near)
        return text + tr(".\n%1 threads that waited in faults resume together.").arg(resume.threads);
    return text + u'.';
  }
  return {};
}

bool LaneView::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto& help = static_cast<const QHelpEvent&>(*event);
  QToolTip::showText(help.globalPos(), plainToolTip(textAt(help.pos())), this);
  return true;
}

void LaneView::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) m_theme = themeFor(palette());
  if (event->type() == QEvent::FontChange) fit();
  update();
}

}  // namespace faultline
