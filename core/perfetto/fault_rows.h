// FaultRows: single faults as slices of a Perfetto trace, in a row for each thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "core/model/fault_sample.h"
#include "core/perfetto/trace.h"

namespace faultline {

class FaultRows {
 public:
  // In order of time for each thread. A fault without a measured time becomes an instant.
  void add(const FaultSample& sample, std::uint64_t process, PerfettoTrace& trace, std::string& out);

 private:
  std::map<std::uint64_t, MonotonicTime> m_ends;  // of the last fault in each row
};

}  // namespace faultline
