// Results of the lab in files.
#pragma once

#include <QString>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/lab/report.h"

namespace faultline {

[[nodiscard]] Result<std::vector<LabReport>> readReports(const QString& file);  // of JSON; at least one
// In the format of the file's ending: .csv, .md, else JSON.
[[nodiscard]] std::string writtenAs(const QString& file, const LabReport& report);

}  // namespace faultline
