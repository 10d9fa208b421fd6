// Quality of the /proc sampler's numbers on this machine.
#pragma once

#include <string>

#include "core/model/hello.h"
#include "core/parse/meminfo.h"
#include "core/parse/vmstat.h"

namespace faultline {

struct ProcView {
  VmStat vmstat;  // at the start: absent values stay absent
  MemInfo memory;
  bool pageCountsExact = false;  // statm shows each page at once; else pages are counted in batches
  std::string visibility;        // a sentence about processes that cannot be seen; empty if all can
  // For metrics that /proc does not have.
  Unavailable beyond{
      .why = "Linux does not show ordinary programs the zeroed memory of a process, nor the time of its faults",
      .enable = "A one-time permission for the collector (cap_perfmon and cap_bpf)."};
};

void describeQuality(const ProcView& view, Hello& hello);

}  // namespace faultline
