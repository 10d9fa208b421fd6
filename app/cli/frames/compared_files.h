// The files that `faultline-cli compare` takes, read by what they hold and not by their names.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "core/base/result.h"
#include "core/base/units.h"
#include "core/compare/sweeps.h"
#include "core/lab/report.h"
#include "core/stat/report.h"

namespace faultline {

// The CSV of a game's frames, from a file of that or from a recording.
struct FramesCsv {
  std::string text;
};

using ComparedFile = std::variant<FramesCsv, StatReport, SweepTotals, std::vector<LabReport>>;

// Frames of a recording are judged by this budget; a CSV keeps its verdicts. Error: a sentence that names the file.
[[nodiscard]] Result<ComparedFile> readCompared(const std::string& name, Nanoseconds budget);
[[nodiscard]] std::string kindOf(const ComparedFile& file);  // "frames of a game"

}  // namespace faultline
