#include "app/tray/frames/bars/layout.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace faultline {
namespace {

constexpr double kFewestPixels = 3;  // of a frame that has its own bar
constexpr double kHeadroom = 1.15;   // above the budget, when no frame is higher: 20 ms above 16.7
constexpr double kSecondRow = 0.2;   // share of the height
constexpr double kApart = 11;        // between two diamonds: of a crowd only the worst shows
constexpr double kReach = 3;         // pixels beside a narrow frame that still hit it

}  // namespace

void BarLayout::setBudget(Nanoseconds budget) {
  m_scale = CalmScale(Rounding::Fine, roundUp(std::max(milliseconds(budget) * kHeadroom, 0.01), Rounding::Fine));
  m_columns.clear();
}

void BarLayout::setSize(QSizeF size, double lineHeight, double labelWidth, double pixelRatio) {
  m_ratio = pixelRatio;
  const double left = labelWidth + 2 * kGap;
  const double top = lineHeight + 2 * kGap;
  const double bottom = size.height() - lineHeight - kGap;
  const double all = std::max(bottom - top - lineHeight, 2.0);
  const double second = std::floor(all * kSecondRow);
  m_durations = QRectF(left, top, std::max(size.width() - left - kGap, 1.0), all - second);
  m_faults = QRectF(left, bottom - second, m_durations.width(), second);
}

double BarLayout::yAt(Nanoseconds duration) const {
  return m_durations.bottom() - std::min(milliseconds(duration) / m_scale.top(), 1.0) * m_durations.height();
}

void BarLayout::update() {
  m_bars.clear();
  m_diamonds.clear();
  if (m_history.empty()) return;
  addBars();
  rescale();
  addDiamonds();
}

void BarLayout::addBars() {
  const std::uint64_t from = m_history.placeAt(m_view.from());
  const std::uint64_t to = std::min(m_history.placeAt(m_view.to()) + 1, m_history.end());
  if (from >= to) return;
  if (static_cast<double>(to - from) * kFewestPixels <= m_durations.width()) addFrames(from, to);
  else addColumns();
}

void BarLayout::addFrames(std::uint64_t from, std::uint64_t to) {
  for (std::uint64_t place = from; place < to; ++place) {
    const GameFrame frame = m_history.at(place).frame;
    const double left = std::max(xAt(frame.start), m_durations.left());
    const double right = std::min(xAt(frame.start + frame.duration), m_durations.right());
    if (right > left) m_bars.push_back({left, right, *m_history.stretch(place, place + 1)});
  }
}

// The borders of the columns are fixed in time, so that a moving picture does not shimmer.
void BarLayout::addColumns() {
  const std::int64_t columns = std::max(static_cast<int>(m_durations.width() * m_ratio), 1);
  const std::int64_t width = std::max<std::int64_t>(m_view.span().count() / columns, 1);
  const std::int64_t first = m_view.from().sinceEpoch.count() / width;
  const std::int64_t last = m_view.to().sinceEpoch.count() / width;
  const bool goesOn = width == m_columnWidth && first >= m_firstColumn &&
                      first <= m_firstColumn + static_cast<std::int64_t>(m_columns.size());
  if (!goesOn) m_columns.clear();
  else m_columns.erase(m_columns.begin(), m_columns.begin() + (first - m_firstColumn));
  m_columnWidth = width;
  m_firstColumn = first;
  const auto xOf = [&](std::int64_t number) { return xAt(MonotonicTime{Nanoseconds(number * width)}); };
  for (std::int64_t number = first; number <= last; ++number)
    if (const auto& frames = column(number))
      m_bars.push_back(
          {std::max(xOf(number), m_durations.left()), std::min(xOf(number + 1), m_durations.right()), *frames});
}

const std::optional<FrameStretch>& BarLayout::column(std::int64_t number) {
  const auto place = static_cast<std::size_t>(number - m_firstColumn);
  if (place < m_columns.size()) {
    const auto& known = m_columns[place];
    if (!known || known->longest >= m_history.begin()) return known;
  }
  const MonotonicTime begin{Nanoseconds(number * m_columnWidth)};
  const MonotonicTime end = begin + Nanoseconds(m_columnWidth);
  const std::uint64_t next = m_history.placeAt(end);
  const bool reachesIn = next < m_history.end() && m_history.startOf(next) < end;
  m_newest = m_history.stretch(m_history.placeAt(begin), next + (reachesIn ? 1 : 0));
  const bool whole = next < m_history.end();  // no frame of it can follow
  if (!whole || place > m_columns.size()) return m_newest;
  if (place < m_columns.size()) return m_columns[place] = m_newest;
  return m_columns.emplace_back(m_newest);
}

void BarLayout::rescale() {
  double highest = 0;
  double faults = 0;
  for (const FrameBar& bar : m_bars) {
    highest = std::max(highest, milliseconds(bar.frames.duration));
    faults = std::max(faults, static_cast<double>(bar.frames.mostFaults));
  }
  const Nanoseconds now = m_history.newest().sinceEpoch;
  const Nanoseconds span = m_view.showsAll() ? Nanoseconds(0) : m_view.chosenSpan();
  if (std::exchange(m_scaledFor, span) != span) {  // the user has zoomed: the scale fits at once
    m_scale.reset();
    m_faultScale.reset();
  }
  (void)m_scale.update(highest, now);
  (void)m_faultScale.update(faults, now);
}

// A frame that reaches over several columns has one diamond in their middle.
void BarLayout::addDiamonds() {
  double left = 0;
  for (const FrameBar& bar : m_bars) {
    if (!bar.frames.flagged) continue;
    const bool goesOn = !m_diamonds.empty() && m_diamonds.back().place == *bar.frames.flagged;
    if (!goesOn) left = bar.left;
    const QPointF at((left + bar.right) / 2, yAt(bar.frames.duration));
    if (goesOn) m_diamonds.back().at.setX(at.x());
    else m_diamonds.push_back({at, bar.frames.flaggedWeight, bar.frames.flaggedLate, *bar.frames.flagged});
  }
  thinOutDiamonds();
}

void BarLayout::thinOutDiamonds() {
  std::ranges::stable_sort(m_diamonds, [](const FrameDiamond& a, const FrameDiamond& b) {
    return a.late != b.late ? a.late : a.weight > b.weight;
  });
  std::vector<double> taken;  // sorted
  std::erase_if(m_diamonds, [&](const FrameDiamond& diamond) {
    const auto next = std::ranges::lower_bound(taken, diamond.at.x());
    const bool near = (next != taken.end() && *next - diamond.at.x() < kApart) ||
                      (next != taken.begin() && diamond.at.x() - *std::prev(next) < kApart);
    if (!near) taken.insert(next, diamond.at.x());
    return near;
  });
}

std::optional<std::uint64_t> BarLayout::placeAt(QPointF point) const {
  for (const FrameDiamond& diamond : m_diamonds)
    if ((diamond.at - point).manhattanLength() < kApart) return diamond.place;
  const FrameBar* best = nullptr;
  for (const FrameBar& bar : m_bars) {
    if (point.x() < bar.left - kReach || point.x() > bar.right + kReach) continue;
    const bool under = point.x() >= bar.left && point.x() < bar.right;
    if (under && bar.right - bar.left > kReach) return bar.frames.longest;
    if (best == nullptr || bar.frames.duration > best->frames.duration) best = &bar;
  }
  return best == nullptr ? std::nullopt : std::optional(best->frames.longest);
}

}  // namespace faultline
