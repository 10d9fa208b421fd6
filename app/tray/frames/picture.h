// A picture of a game's frames worth sending: the bars with title, summary and what ends a frame above them.
#pragma once

#include <QString>

#include "app/tray/frames/bars.h"
#include "core/base/result.h"

namespace faultline {

struct FramePictureText {
  QString title;
  QString summary;
  QString mark;
};

// By the file's ending: .svg or .png. Nothing is left behind when it fails.
[[nodiscard]] Result<void> saveFramePicture(FrameBars& bars, const FramePictureText& text, const QString& file);

}  // namespace faultline
