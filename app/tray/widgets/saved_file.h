// Files that the user has named: whole, or not at all. Errors are sentences that name the file.
#pragma once

#include <QImage>
#include <QSize>
#include <QString>
#include <functional>
#include <string>

#include "core/base/result.h"

class QPaintDevice;

namespace faultline {

[[nodiscard]] Result<void> saveBytes(const QString& file, const std::string& bytes);

inline constexpr double kPictureScale = 2;  // sharp on other people's screens too

struct Picture {
  QSize size;
  QString title;
  QString description;
  std::function<void(QPaintDevice&)> paint;
};

// By the file's ending: .svg, else PNG.
[[nodiscard]] Result<void> savePicture(const QString& file, const Picture& picture);
[[nodiscard]] QImage renderPicture(const Picture& picture);

}  // namespace faultline
