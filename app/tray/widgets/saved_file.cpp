#include "app/tray/widgets/saved_file.h"

#include <QSaveFile>
#include <QSvgGenerator>

namespace faultline {

Result<void> saveBytes(const QString& file, const std::string& bytes) {
  QSaveFile out(file);
  const auto size = static_cast<qint64>(bytes.size());
  if (out.open(QIODevice::WriteOnly) && out.write(bytes.data(), size) == size && out.commit()) return {};
  return fail("Cannot save " + file.toStdString() + ": " + out.errorString().toStdString() +
              ". Choose another folder.");
}

QImage renderPicture(const Picture& picture) {
  QImage image(picture.size * kPictureScale, QImage::Format_RGB32);
  image.setDevicePixelRatio(kPictureScale);
  picture.paint(image);
  return image;
}

Result<void> savePicture(const QString& file, const Picture& picture) {
  QSaveFile out(file);
  const auto failed = [&] {
    return fail("Cannot save the picture to " + file.toStdString() + ": " + out.errorString().toStdString() +
                ". Choose another folder.");
  };
  if (!out.open(QIODevice::WriteOnly)) return failed();
  if (file.endsWith(QStringLiteral(".svg"), Qt::CaseInsensitive)) {
    QSvgGenerator svg;
    svg.setOutputDevice(&out);
    svg.setSize(picture.size);
    svg.setViewBox(QRect(QPoint(0, 0), picture.size));
    svg.setTitle(picture.title);
    svg.setDescription(picture.description);
    picture.paint(svg);
  } else if (!renderPicture(picture).save(&out, "PNG")) {
    return failed();
  }
  if (!out.commit()) return failed();
  return {};
}

}  // namespace faultline
