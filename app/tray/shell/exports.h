// Saves the moment on show, the visible time range or a picture of the plots to a file that the user names, or copies
// them to the clipboard.
#pragma once

#include "app/tray/plots/export.h"
#include "app/tray/processes/pins.h"
#include "app/tray/widgets/saved_file.h"
#include "core/frames/files/formats.h"

namespace faultline {

// The moment and the range are those at the call; time passes while the user chooses a file. `monitor`, `history`,
// `plots` and `view` must live as long as `window`.
// `instant`: absent, the newest sample.
void saveMoment(QWidget* window, const Monitor& monitor, std::optional<MonotonicTime> instant, TellSaved tell);
void saveRange(QWidget* window, const ExportFormat<RangeExporter>& format, const History& history, const Pins& pins,
               const TimeView& view, TellSaved tell);
void savePlotPicture(QWidget* window, PlotStack& plots, const Monitor& monitor, const TimeView& view, TellSaved tell);

// Both return the sentence that tells what is on the clipboard.
QString copyPlotPicture(PlotStack& plots, const Monitor& monitor, const TimeView& view);
QString copySummary(const Monitor& monitor, std::optional<MonotonicTime> instant);
// One line for a bug report: the machine, its faults at the instant, the worst process, the biggest spike.
[[nodiscard]] QString summarize(const Monitor& monitor, std::optional<MonotonicTime> instant = {});

}  // namespace faultline
