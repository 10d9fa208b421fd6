// FlameGraph: a call tree as boxes, callers above callees, as wide as their share. A click or Enter zooms into a box,
// Esc zooms out, arrow keys move. Keeps the tree alive.
#pragma once

#include <QWidget>
#include <memory>
#include <vector>

#include "app/tray/widgets/theme.h"
#include "core/culprits/culprits.h"

namespace faultline {

class FlameGraph : public QWidget {
  Q_OBJECT
 public:
  explicit FlameGraph(QWidget* parent = nullptr);

  void setCulprits(std::shared_ptr<const Culprits> culprits);  // null: nothing to show

  [[nodiscard]] QString zoomedTo() const;  // the name of the box that fills the width; empty: all
  [[nodiscard]] QString current() const;   // name of the box that the keys have selected
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  struct Box {
    QRectF place;
    const CallTree* node = nullptr;
    int parent = -1;     // none
    bool above = false;  // a caller of the box that fills the width
  };

  void layOut();
  void layOut(const CallTree& node, int parent, double left, double width, int depth);
  [[nodiscard]] double weight(const CallTree& node) const;
  [[nodiscard]] int boxAt(QPointF point) const;  // -1: none
  [[nodiscard]] QString label(const CallTree& node) const;
  [[nodiscard]] QColor colour(const Box& box) const;
  [[nodiscard]] int rowHeight() const;
  void zoomInto(int box);
  bool zoomOut();
  bool walk(int key);
  void setCurrent(int box);
  void draw(QPainter& painter, int index) const;

  std::shared_ptr<const Culprits> m_culprits;
  CallTree m_tree;  // of these, without lines
  Theme m_theme;
  std::vector<const CallTree*> m_path;  // from below the root to the box that fills the width
  std::vector<Box> m_boxes;             // callers before callees
  int m_current = -1;
  int m_hovered = -1;
};

}  // namespace faultline
