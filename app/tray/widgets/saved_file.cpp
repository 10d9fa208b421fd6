#include "app/tray/widgets/saved_file.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QFileDialog>
#include <QSaveFile>
#ifdef QT_SVG_LIB
#include <QSvgGenerator>
#endif

namespace faultline {

namespace {

// Draws the picture as SVG. False: this build lacks Qt Svg.
bool drawSvg([[maybe_unused]] const Picture& picture, [[maybe_unused]] QIODevice* out) {
#ifdef QT_SVG_LIB
  QSvgGenerator svg;
  svg.setOutputDevice(out);
  svg.setSize(picture.size);
  svg.setViewBox(QRect(QPoint(0, 0), picture.size));
  svg.setTitle(picture.title);
  svg.setDescription(picture.description);
  picture.paint(svg);
  return true;
#else
  return false;
#endif
}

}  // namespace

QString pictureKinds() {
  const QString png = QCoreApplication::translate("SavedFile", "PNG picture (*.png)");
#ifdef QT_SVG_LIB
  return png + QCoreApplication::translate("SavedFile", ";;SVG drawing (*.svg)");
#else
  return png;
#endif
}

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
    if (!drawSvg(picture, &out)) return fail("This Faultline cannot draw SVG. Save the picture as .png.");
  } else if (!renderPicture(picture).save(&out, "PNG")) {
    return failed();
  }
  if (!out.commit()) return failed();
  return {};
}

QString askForFile(QWidget* parent, const FileQuestion& question) {
  const QString time = QDateTime::currentDateTime().toString(QStringLiteral("-yyyyMMdd-HHmmss"));
  return QFileDialog::getSaveFileName(parent, question.title,
                                      QDir::home().filePath(question.stem + time + question.ending), question.kinds);
}

Result<QString> saveAs(QWidget* parent, const FileQuestion& question,
                       const std::function<Result<void>(const QString& file)>& save) {
  const QString file = askForFile(parent, question);
  if (file.isEmpty()) return QString();
  if (const Result<void> saved = save(file); !saved) return fail(saved.error().message);
  return QCoreApplication::translate("SavedFile", "Saved %1").arg(file);
}

}  // namespace faultline
