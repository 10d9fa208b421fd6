// Saves a file that the user has named, completely or not at all. Errors are sentences that name the file.
#pragma once

#include <QImage>
#include <QSize>
#include <QString>
#include <functional>
#include <string>

#include "core/base/result.h"

class QPaintDevice;
class QWidget;

namespace faultline {

[[nodiscard]] Result<void> saveBytes(const QString& file, const std::string& bytes);

inline constexpr double kPictureScale = 2;  // sharp also on screens with a high resolution

struct Picture {
  QSize size;
  QString title;
  QString description;
  std::function<void(QPaintDevice&)> paint;
};

// SVG if the file's name ends in .svg, else PNG. A build without Qt Svg refuses .svg, and pictureKinds() lacks it.
[[nodiscard]] Result<void> savePicture(const QString& file, const Picture& picture);
[[nodiscard]] QString pictureKinds();  // for a FileQuestion
[[nodiscard]] QImage renderPicture(const Picture& picture);

// The dialog proposes STEM-YYYYMMDD-HHMMSS.ENDING in the home folder.
struct FileQuestion {
  QString title;
  QString stem;
  QString ending;  // with its dot
  QString kinds;   // "CSV (*.csv)"
};

[[nodiscard]] QString askForFile(QWidget* parent, const FileQuestion& question);  // empty: the user cancelled
// Asks, then saves. The sentence "Saved FILE"; empty if the user cancelled.
[[nodiscard]] Result<QString> saveAs(QWidget* parent, const FileQuestion& question,
                                     const std::function<Result<void>(const QString& file)>& save);

}  // namespace faultline
