// How good each of the /proc sampler's numbers is on this machine, in words.
#pragma once

#include <string>

#include "core/model/hello.h"
#include "core/parse/meminfo.h"
#include "core/parse/vmstat.h"

namespace faultline {

struct ProcView {
  VmStat vmstat;  // as read at the start: what is absent there will stay absent
  MemInfo memory;
  bool pageCountsExact = false;  // statm shows a single page at once, rather than counting in batches
  std::string visibility;        // a sentence about which processes cannot be seen; empty if all can
  // Why nothing is known that /proc does not tell.
  Unavailable beyond{
      .why =
          "Linux does not show an ordinary program what the kernel zeroes for each process, nor how long its faults "
          "take",
      .enable = "A one-time permission for the collector (cap_perfmon and cap_bpf)."};
};

void describeQuality(const ProcView& view, Hello& hello);

}  // namespace faultline
