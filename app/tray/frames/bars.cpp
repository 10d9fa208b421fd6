#include "app/tray/frames/bars.h"

#include <QEvent>
#include <algorithm>
#include <cmath>
#include <utility>

namespace faultline {
namespace {

constexpr double kFewestPixels = 3;  // that a frame needs to be drawn on its own
constexpr double kHeadroom = 1.2;    // above the budget, when nothing is higher
constexpr double kSecondRow = 0.2;   // its share of the height
constexpr double kApart = 11;        // between two diamonds: of a crowd only the worst shows
constexpr int kGap = 8;
constexpr double kReach = 3;  // pixels beside a narrow frame that still mean it

double milliseconds(Nanoseconds time) {
  return static_cast<double>(time.count()) / 1e6;
}

}  // namespace

FrameBars::FrameBars(const FrameHistory& history, TimeView& view, QWidget* parent)
    : QWidget(parent), m_history(history), m_view(view), m_theme(themeFor(palette())) {
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setAccessibleName(tr("Frames over time"));
  connect(&m_view, &TimeView::changed, this, qOverload<>(&QWidget::update));
  connect(&m_view, &TimeView::cursorChanged, this, qOverload<>(&QWidget::update));
}

QSize FrameBars::minimumSizeHint() const {
  return {fontMetrics().horizontalAdvance(u'0') * 60, fontMetrics().height() * 10};
}

void FrameBars::refresh() {
  if (!m_history.empty()) {
    if (!m_zero) m_zero = m_history.oldest();
    m_view.setData(m_history.oldest(), m_history.newest());
  }
  update();
}

void FrameBars::setBudget(Nanoseconds budget) {
  m_budget = budget;
  m_scale = CalmScale(Rounding::Fine, std::max(milliseconds(budget) * kHeadroom, 0.01));
  update();
}

void FrameBars::setSelected(std::optional<std::uint64_t> place) {
  m_selected = place;
  tellChange(*this);
  update();
}

void FrameBars::setEmptyText(const QString& text) {
  m_emptyText = text;
  update();
}

QString FrameBars::spoken() const {
  if (m_history.empty()) return m_emptyText;
  const bool there = m_selected && *m_selected >= m_history.begin() && *m_selected < m_history.end();
  return there ? QString::fromStdString(frameText(m_history.at(*m_selected))) : tr("No frame is selected.");
}

void FrameBars::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) m_theme = themeFor(palette());
  update();
}

void FrameBars::layOut() {
  const QFontMetrics text = fontMetrics();
  const double left = text.horizontalAdvance(QStringLiteral("888 ms")) + 2 * kGap;
  const double top = text.height() + 2 * kGap;
  const double bottom = height() - text.height() - kGap;
  const double all = std::max(bottom - top - text.height(), 2.0);
  const double second = std::floor(all * kSecondRow);
  m_plot = QRectF(left, top, std::max(width() - left - kGap, 1.0), all - second);
  m_faults = QRectF(left, bottom - second, m_plot.width(), second);
}

double FrameBars::xAt(MonotonicTime time) const {
  const auto since = static_cast<double>((time - m_view.from()).count());
  return m_plot.left() + since / static_cast<double>(m_view.span().count()) * m_plot.width();
}

MonotonicTime FrameBars::timeAt(double x) const {
  const double share = (x - m_plot.left()) / m_plot.width();
  return m_view.from() + Nanoseconds(std::llround(share * static_cast<double>(m_view.span().count())));
}

double FrameBars::yAt(double ms) const {
  return m_plot.bottom() - std::min(ms / m_scale.top(), 1.0) * m_plot.height();
}

void FrameBars::collectBars() {
  m_bars.clear();
  if (m_history.empty()) return;
  const std::uint64_t from = m_history.placeAt(m_view.from());
  const std::uint64_t to = std::min(m_history.placeAt(m_view.to()) + 1, m_history.end());
  if (from >= to) return;
  const int columns = std::max(static_cast<int>(m_plot.width() * m_ratio), 1);
  if (static_cast<double>(to - from) * kFewestPixels <= m_plot.width()) collectSingle(from, to);
  else collectColumns(columns);
  rescale();
}

void FrameBars::collectSingle(std::uint64_t from, std::uint64_t to) {
  for (std::uint64_t place = from; place < to; ++place) {
    const GameFrame frame = m_history.at(place).frame;
    const double left = std::max(xAt(frame.start), m_plot.left());
    const double right = std::min(xAt(frame.start + frame.duration), m_plot.right());
    if (right > left) m_bars.push_back({left, right, *m_history.stretch(place, place + 1)});
  }
}

// The columns' borders are fixed in time, not in the picture: a picture that moves does not shimmer.
void FrameBars::collectColumns(int columns) {
  const std::int64_t width = std::max<std::int64_t>(m_view.span().count() / columns, 1);
  const auto at = [&](std::int64_t column) { return MonotonicTime{Nanoseconds(column * width)}; };
  const std::int64_t first = m_view.from().sinceEpoch.count() / width;
  const std::int64_t last = m_view.to().sinceEpoch.count() / width;
  std::uint64_t from = m_history.placeAt(at(first));
  for (std::int64_t column = first; column <= last && from < m_history.end(); ++column) {
    const std::uint64_t next = m_history.placeAt(at(column + 1));
    const bool reachesIn = next < m_history.end() && m_history.startOf(next) < at(column + 1);
    if (const auto frames = m_history.stretch(from, next + (reachesIn ? 1 : 0)))
      m_bars.push_back(
          {std::max(xAt(at(column)), m_plot.left()), std::min(xAt(at(column + 1)), m_plot.right()), *frames});
    from = next;
  }
}

void FrameBars::rescale() {
  double highest = 0;
  double faults = 0;
  for (const Bar& bar : m_bars) {
    highest = std::max(highest, milliseconds(bar.frames.duration));
    faults = std::max(faults, static_cast<double>(bar.frames.mostFaults));
  }
  const Nanoseconds now = m_history.newest().sinceEpoch;
  const Nanoseconds span = m_view.showsAll() ? Nanoseconds(0) : m_view.chosenSpan();
  if (std::exchange(m_scaledFor, span) != span) {  // a hand has zoomed: no need to be calm
    m_scale.reset();
    m_faultScale.reset();
  }
  (void)m_scale.update(highest, now);
  (void)m_faultScale.update(faults, now);
}

std::vector<FrameBars::Diamond> FrameBars::diamonds() const {
  std::vector<Diamond> all;
  double left = 0;  // of the first column that the last one's frame reaches into
  for (const Bar& bar : m_bars) {
    if (!bar.frames.flagged) continue;
    const bool goesOn = !all.empty() && all.back().place == *bar.frames.flagged;
    if (!goesOn) left = bar.left;
    const QPointF at((left + bar.right) / 2, yAt(milliseconds(bar.frames.duration)));
    if (goesOn) all.back().at.setX(at.x());
    else all.push_back({at, bar.frames.flaggedWeight, bar.frames.flaggedLate, *bar.frames.flagged});
  }
  std::ranges::stable_sort(
      all, [](const Diamond& a, const Diamond& b) { return a.late != b.late ? a.late : a.weight > b.weight; });
  std::vector<double> taken;  // sorted
  std::erase_if(all, [&](const Diamond& diamond) {
    const auto next = std::ranges::lower_bound(taken, diamond.at.x());
    const bool near = (next != taken.end() && *next - diamond.at.x() < kApart) ||
                      (next != taken.begin() && diamond.at.x() - *std::prev(next) < kApart);
    if (!near) taken.insert(next, diamond.at.x());
    return near;
  });
  return all;
}

// Hit test: diamond before bar.
std::optional<std::uint64_t> FrameBars::placeAt(QPointF point) const {
  for (const Diamond& diamond : diamonds())
    if ((diamond.at - point).manhattanLength() < kApart) return diamond.place;
  const Bar* best = nullptr;
  for (const Bar& bar : m_bars) {
    if (point.x() < bar.left - kReach || point.x() > bar.right + kReach) continue;
    const bool under = point.x() >= bar.left && point.x() < bar.right;
    if (under && bar.right - bar.left > kReach) return bar.frames.longest;
    if (best == nullptr || bar.frames.duration > best->frames.duration) best = &bar;
  }
  return best == nullptr ? std::nullopt : std::optional(best->frames.longest);
}

std::optional<std::uint64_t> FrameBars::hovered() const {
  if (!m_view.cursor() || m_hand.dragging()) return std::nullopt;
  return placeAt({xAt(*m_view.cursor()), m_plot.bottom()});
}

}  // namespace faultline
