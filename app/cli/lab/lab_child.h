// LabChild: the process of an experiment, as the command that started it sees it (child.h). The destructor ends it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/lab/report.h"
#include "core/perfetto/lanes.h"
#include "platform/host/child_process.h"

namespace faultline {

struct LabChildPlan {
  std::string name;  // of the experiment
  bool quick = false;
  bool traced = false;    // each way runs once, and its times are told
  bool held = false;      // stands still until release()
  Interrupt interrupt{};  // of the start of a held process
  std::string malloc{};   // name of another malloc; empty: the system's
  std::string preload{};  // its library
};

class LabChild {
 public:
  [[nodiscard]] static Result<LabChild> start(const LabChildPlan& plan);

  [[nodiscard]] std::uint32_t pid() const { return m_process.pid(); }
  [[nodiscard]] bool held() const { return m_process.held(); }
  void release() { m_process.release(); }

  [[nodiscard]] WaitHandle ready() const { return m_process.outputReady(); }
  // Passes progress on to standard error. Blocks unless ready(). Error: the process ended too early.
  [[nodiscard]] Result<void> receive();
  [[nodiscard]] bool complete() const { return m_report && m_faults; }
  // Once complete:
  [[nodiscard]] LabReport takeReport();  // with the process's own count of its faults
  [[nodiscard]] std::uint64_t childFaults() const { return m_faults->children; }
  [[nodiscard]] const std::vector<LaneRun>& runs() const { return m_runs; }

 private:
  struct Faults {
    std::uint64_t own = 0;
    std::uint64_t children = 0;  // ended ones
  };

  LabChild(ChildProcess process, std::string name) : m_process(std::move(process)), m_name(std::move(name)) {}
  [[nodiscard]] static std::optional<Faults> parseFaults(std::string_view text);
  [[nodiscard]] Result<void> take(std::string_view line);

  ChildProcess m_process;
  std::string m_name;
  std::string m_text;
  std::optional<LabReport> m_report;
  std::optional<Faults> m_faults;
  std::vector<LaneRun> m_runs;
};

}  // namespace faultline
