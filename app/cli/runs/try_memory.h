// RunMemoryWatch: measures what the memory of a whole run of `faultline-cli try` or `stat` costs. Its collector is a
// child of this process and no process of the run.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "app/cli/stream/collector.h"
#include "core/monitor/monitor.h"
#include "core/trial/run_memory.h"
#include "platform/host/trial/run.h"

namespace faultline {

// Whether a process that has started this one, directly or through others, is such.
[[nodiscard]] bool startedBy(const Monitor& monitor, ProcessKey key,
                             const std::function<bool(const ProcessKey&)>& such);

class RunMemoryWatch {
 public:
  // Waits until the collector measures.
  [[nodiscard]] static Result<RunMemoryWatch> start(const CommonOptions& common, const Interrupt& interrupt);

  [[nodiscard]] RunMemoryQuality quality() const;
  // False: short processes would be missed, and each figure is unavailable or estimated.
  [[nodiscard]] bool measures() const;
  [[nodiscard]] const Machine& machine() const { return m_monitor.hello().machine; }
  [[nodiscard]] std::optional<double> nsPerFault() const;  // by the calibration of this machine, if it has one

  [[nodiscard]] TrialWatch watch();  // of the next run; refers to this object
  // After that run, all of whose processes have ended.
  [[nodiscard]] Result<RunMemory> finish(const Interrupt& interrupt);
  [[nodiscard]] std::uint32_t processes() const { return m_processes; }  // of that run
  // The page faults of that run, by the names that its processes had, without `start`, as TrialSample has it.
  [[nodiscard]] std::map<std::string, double> faultsByName(std::uint64_t start) const;

 private:
  RunMemoryWatch(const CommonOptions& common, CollectorStream stream) : m_common(common), m_stream(std::move(stream)) {}
  void step(Nanoseconds patience, const Interrupt& interrupt = {});
  void take(const StreamEvent& event);

  CommonOptions m_common;
  CollectorStream m_stream;
  Monitor m_monitor;
  std::uint32_t m_pid = 0;
  std::uint32_t m_processes = 0;
  std::optional<ProcessKey> m_program;
  std::map<std::string, double> m_faultsByName;
  std::string m_name;  // the program's first
  std::optional<Error> m_failure;
};

}  // namespace faultline
