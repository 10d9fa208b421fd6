// Saves the frames of a game or the call stacks of one frame to a file that the user names; compares the frames with
// those of a file.
#pragma once

#include "app/tray/frames/culprit_finder.h"
#include "app/tray/widgets/saved_file.h"
#include "core/export/exporter.h"
#include "core/frames/files/export.h"

namespace faultline {

// The frames until now; those that end while the user chooses a file are left out. `watch` and `finder` must live as
// long as `window`.
void saveFrames(QWidget* window, const ExportFormat<FrameExporter>& format, const GameWatch& watch,
                CulpritFinder& finder, TellSaved tell);
// With the run of a file that the user names, in a dialog.
void compareFrames(QWidget* window, const GameWatch& watch, CulpritFinder& finder, TellSaved tell);
void saveStacks(QWidget* window, const Culprits* culprits, TellSaved tell);  // null: no frame is selected

}  // namespace faultline
