// Pictures worth sending: the plots with title, machine and time range above them, as PNG, SVG or on the clipboard.
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
// By the file's ending: .svg or .png. Nothing is left behind when it fails.
[[nodiscard]] Result<void> savePlots(PlotStack& plots, const PictureText& text, const QString& file);

}  // namespace faultline
