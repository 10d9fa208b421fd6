// KeyFocus: a dotted frame around a painted widget that the Tab key reached. A click shows no frame.
#pragma once

#include <QColor>
#include <QObject>

class QWidget;

namespace faultline {

class KeyFocus : public QObject {
 public:
  explicit KeyFocus(QWidget& widget);

  void paint(const QColor& ink) const;  // after the widget's own paintEvent

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QWidget& m_widget;
  bool m_shown = false;
};

}  // namespace faultline
