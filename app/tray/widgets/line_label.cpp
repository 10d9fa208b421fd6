#include "app/tray/widgets/line_label.h"

#include "app/tray/widgets/plain_text.h"

namespace faultline {

LineLabel::LineLabel(QWidget* parent) : QLabel(parent) {
  setTextFormat(Qt::PlainText);
  setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
}

void LineLabel::setLine(const QString& line) {
  if (line == m_line) return;
  m_line = line;
  setAccessibleName(line);
  fit();
}

void LineLabel::fit() {
  const QString shown = fontMetrics().elidedText(m_line, Qt::ElideRight, contentsRect().width());
  setText(shown);
  setToolTip(shown == m_line ? QString() : plainToolTip(m_line));
}

void LineLabel::resizeEvent(QResizeEvent* event) {
  QLabel::resizeEvent(event);
  fit();
}

}  // namespace faultline
