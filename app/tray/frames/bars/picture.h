// A picture of a game's frames: the bars, below title, summary and the event that ends frames.
#pragma once

#include <QString>

#include "app/tray/frames/bars/widget.h"
#include "core/base/result.h"

namespace faultline {

struct FramePictureText {
  QString title;
  QString summary;
  QString mark;
};

// The format follows the file's ending: .svg or .png. Leaves no file on failure.
[[nodiscard]] Result<void> saveFramePicture(FrameBars& bars, const FramePictureText& text, const QString& file);

}  // namespace faultline
