#include "app/tray/frames/bars/widget.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QToolTip>
#include <algorithm>

#include "app/tray/frames/bars/flagged.h"
#include "app/tray/frames/bars/painter.h"
#include "app/tray/ledger/frame_parts.h"
#include "app/tray/widgets/plain_text.h"

namespace faultline {

FrameBars::FrameBars(const FrameHistory& history, TimeView& view, QWidget* parent)
    : QWidget(parent), m_history(history), m_view(view), m_theme(themeFor(palette())) {
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setAccessibleName(tr("Frames over time"));
  setAttribute(Qt::WA_OpaquePaintEvent);
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
  m_layout.setBudget(budget);
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

std::optional<JudgedFrame> FrameBars::kept(std::optional<std::uint64_t> place) const {
  const bool there = place && *place >= m_history.begin() && *place < m_history.end();
  return there ? std::optional(m_history.at(*place)) : std::nullopt;
}

FrameDeadline FrameBars::deadline() const {
  const FrameDeadline budget{m_budget, DeadlineBy::Given};
  if (m_history.empty()) return budget;
  const std::uint64_t newest = std::min(m_history.placeAt(m_view.to()), m_history.end() - 1);
  return m_history.at(newest).verdict.deadline.value_or(budget);
}

QString FrameBars::spoken() const {
  if (m_history.empty()) return m_emptyText;
  const auto frame = kept(m_selected);
  return frame ? QString::fromStdString(frameText(*frame)) : tr("No frame is selected.");
}

// The line above the bars has no room for the parts of a frame.
bool FrameBars::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto& help = static_cast<const QHelpEvent&>(*event);
  const auto frame = kept(m_layout.placeAt(help.pos()));
  const QString words = frame ? plainToolTip(QString::fromStdString(frameText(*frame))) : QString();
  QToolTip::showText(help.globalPos(), words, this);
  return true;
}

void FrameBars::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) m_theme = themeFor(palette());
  update();
}

void FrameBars::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  draw(painter);
  painter.end();
  m_focus.paint(m_theme.dimInk);
}

void FrameBars::draw(QPainter& painter) {
  painter.fillRect(rect(), m_theme.base);
  painter.setFont(font());
  m_layout.setSize(size(), fontMetrics().height(), fontMetrics().horizontalAdvance(QStringLiteral("888 ms")),
                   devicePixelRatioF());
  m_layout.update();
  BarPainter bars(painter, m_layout, m_theme);
  bars.drawAxes();
  if (m_history.empty()) return bars.drawEmpty(m_emptyText);
  const auto selected = kept(m_selected);
  const auto pointed = kept(hovered());
  if (selected) bars.drawBand(selected->frame, true);
  if (pointed && hovered() != m_selected) bars.drawBand(pointed->frame, false);
  bars.drawBars();
  bars.drawDeadline(deadline());
  bars.drawDiamonds();
  bars.drawTimes(m_view, m_zero.value_or(m_view.oldest()));
  if (const auto& read = pointed ? pointed : selected) return bars.drawReadout(frameHead(*read), m_theme.ink);
  bars.drawReadout(tr("Each bar is a frame; its solid part is its time for memory. Point at a bar, or click it."),
                   m_theme.dimInk);
}

std::optional<std::uint64_t> FrameBars::hovered() const {
  if (!m_view.cursor() || m_hand.dragging()) return std::nullopt;
  return m_layout.placeAt({m_layout.xAt(*m_view.cursor()), m_layout.durations().bottom()});
}

void FrameBars::wheelEvent(QWheelEvent* event) {
  m_hand.wheel(*event, m_layout.timeAt(event->position().x()));
}

void FrameBars::mousePressEvent(QMouseEvent* event) {
  m_hand.press(*event);
}

void FrameBars::mouseMoveEvent(QMouseEvent* event) {
  const QRectF& row = m_layout.durations();
  m_hand.move(*event, row.width());
  setCursor(m_hand.dragging() ? Qt::ClosedHandCursor : Qt::ArrowCursor);
  const double x = event->position().x();
  const bool over = x >= row.left() && x < row.right();
  m_view.setCursor(over ? std::optional(m_layout.timeAt(x)) : std::nullopt);
}

void FrameBars::mouseReleaseEvent(QMouseEvent* event) {
  const bool clicked = m_hand.release(*event);
  setCursor(Qt::ArrowCursor);
  if (!clicked) return;
  if (const auto place = m_layout.placeAt(event->position())) Q_EMIT frameClicked(*place);
}

void FrameBars::leaveEvent(QEvent* event) {
  QWidget::leaveEvent(event);
  m_view.setCursor(std::nullopt);
}

void FrameBars::keyPressEvent(QKeyEvent* event) {
  const bool sideways = event->key() == Qt::Key_Left || event->key() == Qt::Key_Right;
  const int direction = event->key() == Qt::Key_Left ? -1 : 1;
  if (sideways && event->modifiers().testFlag(Qt::ControlModifier)) return stepFlagged(direction);
  if (sideways && event->modifiers().testFlag(Qt::ShiftModifier)) return step(direction);
  if (!m_view.takeKey(event->key())) QWidget::keyPressEvent(event);
}

void FrameBars::step(int by) {
  if (m_history.empty()) return;
  const std::uint64_t last = m_history.end() - 1;
  const std::uint64_t from = std::clamp(m_selected.value_or(last), m_history.begin(), last);
  if (by < 0 && from == m_history.begin()) return;
  if (by > 0 && from == last) return;
  choose(by < 0 ? from - 1 : from + 1);
}

void FrameBars::stepFlagged(int direction) {
  if (const auto place = nextFlagged(m_history, m_selected, direction)) choose(*place);
}

void FrameBars::choose(std::uint64_t place) {
  const GameFrame frame = m_history.at(place).frame;
  const MonotonicTime end = frame.start + frame.duration;
  if (frame.start < m_view.from() || end > m_view.to()) m_view.goTo(frame.start);
  Q_EMIT frameClicked(place);
}

}  // namespace faultline
