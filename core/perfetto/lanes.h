// FaultLanes: all single faults of a process, as pictures of the runs of an experiment, and as a Perfetto trace: a lane
// per thread, a lane for the runs, and one for the moments in which threads that waited in faults resume together.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/lanes/picture.h"
#include "core/perfetto/fault_rows.h"
#include "core/perfetto/trace.h"

namespace faultline {

class FaultLanes {
 public:
  FaultLanes(std::uint32_t pid, std::string_view name) : m_pid(pid), m_name(name) {}

  // `trace`: null, none is written; the same in all calls.
  void add(const FaultSample& sample, std::string* trace);
  // After the last fault. Of each run with faults; of runs with the same name, that with the most.
  [[nodiscard]] std::vector<LanePicture> finish(std::span<const LaneRun> runs, std::string* trace);
  [[nodiscard]] std::uint64_t faults() const { return m_all; }

 private:
  std::uint64_t process(MonotonicTime first, std::string& trace);
  void addRun(const LaneRun& run, const LaneSummary* summary, std::string& trace);

  std::uint32_t m_pid;
  std::string m_name;
  PerfettoTrace m_trace;
  FaultRows m_rows;
  std::vector<LaneFault> m_faults;
  std::map<std::uint32_t, std::string> m_names;  // of threads
  std::uint64_t m_all = 0;
};

}  // namespace faultline
