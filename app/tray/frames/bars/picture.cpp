#include "app/tray/frames/bars/picture.h"

#include <QPainter>

#include "app/tray/widgets/saved_file.h"

namespace faultline {
namespace {

constexpr int kMargin = 12;

int headerHeight(const FrameBars& bars) {
  return QFontMetrics(bars.font()).height() * 3 + 2 * kMargin;
}

QSize pictureSize(const FrameBars& bars) {
  return bars.size() + QSize(0, headerHeight(bars));
}

void paint(FrameBars& bars, const FramePictureText& text, QPaintDevice& device) {
  const Theme theme = themeFor(bars.palette());
  const QSize size = pictureSize(bars);
  QPainter painter(&device);
  painter.fillRect(QRect(QPoint(0, 0), size), theme.base);
  QFont bold = bars.font();
  bold.setBold(true);
  painter.setFont(bold);
  painter.setPen(theme.ink);
  const int line = QFontMetrics(bold).height();
  const QRect row(kMargin, kMargin, size.width() - 2 * kMargin, line);
  painter.drawText(row, Qt::AlignLeft, text.title);
  painter.setFont(bars.font());
  painter.drawText(row.adjusted(0, line, 0, 2 * line), Qt::AlignLeft | Qt::TextWordWrap, text.summary);
  painter.setPen(theme.dimInk);
  painter.drawText(row, Qt::AlignRight, text.mark);
  painter.translate(0, headerHeight(bars));
  bars.draw(painter);
}

}  // namespace

Result<void> saveFramePicture(FrameBars& bars, const FramePictureText& text, const QString& file) {
  return savePicture(file, {.size = pictureSize(bars),
                            .title = text.title,
                            .description = text.summary,
                            .paint = [&](QPaintDevice& device) { paint(bars, text, device); }});
}

}  // namespace faultline
