#include "app/cli/stream/calibrated.h"

#include "platform/host/costs/calibration_file.h"

namespace faultline {

void ingestCalibrated(Monitor& monitor, const Hello& hello, const CommonOptions& common) {
  monitor.ingest(hello);
  if (common.synthetic) return;
  if (auto kept = keptCalibration(hello.machine)) monitor.setCalibration(kept->calibration, std::move(kept->changes));
}

}  // namespace faultline
