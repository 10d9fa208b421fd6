// LabTrace: all page faults of an experiment's process, as pictures with a lane for each of its threads, and as a
// Perfetto trace. A collector watches the process, which makes each fault dearer.
#pragma once

#include <fstream>
#include <string>
#include <vector>

#include "app/cli/stream/collector.h"
#include "core/lab/report.h"
#include "core/perfetto/lanes.h"

namespace faultline {

class LabTrace {
 public:
  // The process may stand still until watching(). `file`: for the trace; empty: none is written.
  [[nodiscard]] static Result<LabTrace> start(const CommonOptions& common, std::uint32_t pid, const std::string& file);

  [[nodiscard]] WaitHandle ready() const { return m_stream.ready(); }
  // Blocks unless ready(). Error: the collector failed or cannot tell single faults, or the file cannot be written.
  [[nodiscard]] Result<void> receive();
  [[nodiscard]] bool watching() const { return m_lanes.has_value(); }  // from then on no fault is missed
  void add(LaneRun run) { m_runs.push_back(std::move(run)); }
  // After the experiment. Adds the pictures of its runs to the report, and a remark on the faults and losses.
  [[nodiscard]] Result<void> finish(LabReport& report, const Interrupt& interrupt);

 private:
  LabTrace(CollectorStream stream, std::string file) : m_stream(std::move(stream)), m_file(std::move(file)) {}
  [[nodiscard]] Result<void> begin(const WatchedGame& watched);
  [[nodiscard]] Result<void> write(bool last);
  [[nodiscard]] std::string* text() { return m_file.empty() ? nullptr : &m_text; }

  CollectorStream m_stream;
  std::string m_file;
  std::ofstream m_out;
  std::string m_text;
  std::optional<FaultLanes> m_lanes;
  std::vector<LaneRun> m_runs;
  std::uint64_t m_lost = 0;
};

}  // namespace faultline
