// Pictures of the plots, below title, machine and time range, as PNG, SVG or for the clipboard.
#pragma once

#include <QImage>
#include <QString>

#include "app/tray/plots/stack.h"
#include "core/base/result.h"

namespace faultline {

struct PictureText {
  QString title;
  QString machine;
  QString range;
};

[[nodiscard]] PictureText describe(const Monitor& monitor, const TimeView& view);
[[nodiscard]] QImage renderPlots(PlotStack& plots, const PictureText& text);
// The format follows the file's ending: .svg or .png. Leaves no file on failure.
[[nodiscard]] Result<void> savePlots(PlotStack& plots, const PictureText& text, const QString& file);

}  // namespace faultline
