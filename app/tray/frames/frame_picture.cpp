#include "app/tray/frames/frame_picture.h"

#include <QPainter>
#include <QSaveFile>
#include <QSvgGenerator>

namespace faultline {
namespace {

constexpr int kMargin = 12;
constexpr double kPictureScale = 2;  // sharp on other people's screens too

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
  QSaveFile out(file);
  const auto failed = [&] {
    return fail("The picture could not be saved to " + file.toStdString() + ": " + out.errorString().toStdString() +
                ". Choose another folder.");
  };
  if (!out.open(QIODevice::WriteOnly)) return failed();
  if (file.endsWith(QStringLiteral(".svg"), Qt::CaseInsensitive)) {
    QSvgGenerator svg;
    svg.setOutputDevice(&out);
    svg.setSize(pictureSize(bars));
    svg.setViewBox(QRect(QPoint(0, 0), pictureSize(bars)));
    svg.setTitle(text.title);
    svg.setDescription(text.summary);
    paint(bars, text, svg);
  } else {
    QImage image(pictureSize(bars) * kPictureScale, QImage::Format_RGB32);
    image.setDevicePixelRatio(kPictureScale);
    paint(bars, text, image);
    if (!image.save(&out, "PNG")) return failed();
  }
  if (!out.commit()) return failed();
  return {};
}

}  // namespace faultline
