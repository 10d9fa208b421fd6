#include "app/tray/culprits/flame_graph.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "app/tray/widgets/plain_text.h"
#include "app/tray/widgets/utf8.h"
#include "core/text/quantity.h"

namespace faultline {
namespace {

constexpr int kPadding = 3;
constexpr double kNarrowest = 1;      // pixels
constexpr double kLeastForText = 24;  // pixels
constexpr std::array<double, 4> kTints{0.22, 0.28, 0.34, 0.4};

}  // namespace

FlameGraph::FlameGraph(QWidget* parent) : QWidget(parent), m_theme(themeFor(palette())) {
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setAccessibleName(tr("Flame graph of the call stacks that faulted"));
}

void FlameGraph::setCulprits(std::shared_ptr<const Culprits> culprits) {
  m_culprits = std::move(culprits);
  m_tree = m_culprits ? withoutLines(m_culprits->tree) : CallTree();
  m_path.clear();
  m_current = m_hovered = -1;
  layOut();
}

double FlameGraph::weight(const CallTree& node) const {
  return m_culprits->timed ? static_cast<double>(node.time.count()) : static_cast<double>(node.faults);
}

int FlameGraph::rowHeight() const {
  return fontMetrics().height() + 2 * kPadding;
}

QSize FlameGraph::sizeHint() const {
  double bottom = rowHeight();
  for (const Box& box : m_boxes) bottom = std::max(bottom, box.place.bottom());
  return {fontMetrics().horizontalAdvance(u'0') * 40, static_cast<int>(bottom) + 1};
}

QSize FlameGraph::minimumSizeHint() const {
  return {fontMetrics().horizontalAdvance(u'0') * 16, sizeHint().height()};
}

void FlameGraph::layOut() {
  m_boxes.clear();
  if (m_culprits) {
    int parent = -1;
    int depth = 0;
    for (const CallTree* node : m_path) {
      if (node == m_path.back()) break;
      m_boxes.push_back({QRectF(0, depth * rowHeight(), width(), rowHeight()), node, parent, true});
      parent = static_cast<int>(m_boxes.size()) - 1;
      ++depth;
    }
    if (!m_path.empty()) {
      layOut(*m_path.back(), parent, 0, width(), depth);
    } else if (const double all = weight(m_tree); all > 0) {
      double left = 0;
      for (const CallTree& thread : m_tree.children) {
        const double share = weight(thread) / all * width();
        layOut(thread, -1, left, share, 0);
        left += share;
      }
    }
  }
  updateGeometry();
  update();
}

void FlameGraph::layOut(const CallTree& node, int parent, double left, double width, int depth) {
  if (width < kNarrowest) return;
  m_boxes.push_back({QRectF(left, depth * rowHeight(), width, rowHeight()), &node, parent, false});
  const int self = static_cast<int>(m_boxes.size()) - 1;
  const double all = weight(node);
  if (all <= 0) return;
  for (const CallTree& child : node.children) {
    const double share = weight(child) / all * width;
    layOut(child, self, left, share, depth + 1);
    left += share;
  }
}

int FlameGraph::boxAt(QPointF point) const {
  const auto box = std::ranges::find_if(m_boxes, [&](const Box& each) { return each.place.contains(point); });
  return box == m_boxes.end() ? -1 : static_cast<int>(box - m_boxes.begin());
}

QString FlameGraph::label(const CallTree& node) const {
  const double all = weight(m_tree);
  const QString share = text(formatPercent(all > 0 ? weight(node) / all : 0));
  QString amount = tr("%1 faults").arg(text(formatCount(node.faults)));
  if (m_culprits->timed) amount = tr("%1 in %2").arg(text(formatDuration(node.time)), amount);
  return tr("%1\n%2 of the sampled %3, %4")
      .arg(text(node.name), share, m_culprits->timed ? tr("time") : tr("faults"), amount);
}

// Tints of one hue, so that neighbours differ; code of the system is grey.
QColor FlameGraph::colour(const Box& box) const {
  if (box.node->system) return mixed(m_theme.base, m_theme.ink, 0.14);
  const std::size_t tint = std::hash<std::string>()(box.node->name) % kTints.size();
  return mixed(m_theme.base, m_theme.minor, box.above ? kTints.front() / 2 : kTints.at(tint));
}

void FlameGraph::draw(QPainter& painter, int index) const {
  const Box& box = m_boxes[static_cast<std::size_t>(index)];
  const double left = std::round(box.place.left());
  const double right = std::max(std::round(box.place.right()) - 1, left + 1);
  const QRectF place(left, box.place.top(), right - left, box.place.height() - 1);
  painter.fillRect(place, colour(box));
  const bool marked = index == m_hovered || (index == m_current && hasFocus());
  if (marked) {
    painter.setPen(QPen(m_theme.ink, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(place.adjusted(0.5, 0.5, -0.5, -0.5));
  }
  if (place.width() < kLeastForText) return;
  const QRectF inside = place.adjusted(kPadding + 1, 0, -kPadding, 0);
  painter.setPen(box.node->system || box.above ? mixed(m_theme.ink, m_theme.base, 0.15) : m_theme.ink);
  painter.drawText(inside, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                   fontMetrics().elidedText(text(box.node->name), Qt::ElideRight, static_cast<int>(inside.width())));
}

void FlameGraph::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.fillRect(rect(), m_theme.base);
  for (int box = 0; box < static_cast<int>(m_boxes.size()); ++box) draw(painter, box);
  if (!hasFocus() || m_current >= 0) return;
  painter.setPen(QPen(m_theme.dimInk, 1, Qt::DotLine));
  painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

QString FlameGraph::zoomedTo() const {
  return m_path.empty() ? QString() : text(m_path.back()->name);
}

QString FlameGraph::current() const {
  return m_current < 0 ? QString() : text(m_boxes[static_cast<std::size_t>(m_current)].node->name);
}

// Clicking an ancestor zooms out to it.
void FlameGraph::zoomInto(int box) {
  std::vector<const CallTree*> path;
  for (int at = box; at >= 0; at = m_boxes[static_cast<std::size_t>(at)].parent)
    path.insert(path.begin(), m_boxes[static_cast<std::size_t>(at)].node);
  const CallTree* node = path.back();
  m_path = std::move(path);
  m_hovered = -1;
  layOut();
  const auto same = std::ranges::find(m_boxes, node, &Box::node);
  setCurrent(same == m_boxes.end() ? -1 : static_cast<int>(same - m_boxes.begin()));
}

bool FlameGraph::zoomOut() {
  if (m_path.empty()) return false;
  const CallTree* node = m_path.back();
  m_path.pop_back();
  layOut();
  const auto same = std::ranges::find(m_boxes, node, &Box::node);
  setCurrent(same == m_boxes.end() ? -1 : static_cast<int>(same - m_boxes.begin()));
  return true;
}

void FlameGraph::setCurrent(int box) {
  m_current = box;
  setAccessibleDescription(box < 0 ? QString() : label(*m_boxes[static_cast<std::size_t>(box)].node));
  update();
}

// Up and down along calls, left and right among the callees of one caller.
bool FlameGraph::walk(int key) {
  const auto count = static_cast<int>(m_boxes.size());
  if (count == 0) return false;
  if (m_current < 0) {
    setCurrent(0);
    return true;
  }
  const int parent = m_boxes[static_cast<std::size_t>(m_current)].parent;
  const auto isChildOf = [&](int box, int of) { return m_boxes[static_cast<std::size_t>(box)].parent == of; };
  int next = -1;
  if (key == Qt::Key_Up) next = parent;
  for (int box = m_current + 1; key == Qt::Key_Down && box < count && next < 0; ++box)
    if (isChildOf(box, m_current)) next = box;
  for (int box = m_current + 1; key == Qt::Key_Right && box < count && next < 0; ++box)
    if (isChildOf(box, parent)) next = box;
  for (int box = m_current - 1; key == Qt::Key_Left && box >= 0 && next < 0; --box)
    if (isChildOf(box, parent)) next = box;
  if (next >= 0) setCurrent(next);
  return true;
}

bool FlameGraph::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto& help = static_cast<const QHelpEvent&>(*event);
  const int box = boxAt(help.pos());
  if (box < 0) QToolTip::hideText();
  else QToolTip::showText(help.globalPos(), plainToolTip(label(*m_boxes[static_cast<std::size_t>(box)].node)), this);
  return true;
}

void FlameGraph::mouseMoveEvent(QMouseEvent* event) {
  const int box = boxAt(event->position());
  if (box == m_hovered) return;
  m_hovered = box;
  setCursor(box < 0 ? Qt::ArrowCursor : Qt::PointingHandCursor);
  update();
}

void FlameGraph::leaveEvent(QEvent* event) {
  QWidget::leaveEvent(event);
  m_hovered = -1;
  update();
}

void FlameGraph::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  if (const int box = boxAt(event->position()); box >= 0) zoomInto(box);
}

void FlameGraph::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_Left:
    case Qt::Key_Right:
      if (walk(event->key())) return;
      break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (m_current >= 0) return zoomInto(m_current);
      break;
    case Qt::Key_Escape:
      if (zoomOut()) return;
      break;
    default:
      break;
  }
  QWidget::keyPressEvent(event);
}

void FlameGraph::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  m_hovered = -1;
  layOut();
}

void FlameGraph::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) m_theme = themeFor(palette());
  if (event->type() == QEvent::FontChange) layOut();
  update();
}

}  // namespace faultline
