// ShownProcesses decides which processes have a row: those that run at the time shown, pinned processes, and those that
// ended lately. A process has no row while nothing is known about it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/tray/processes/ended_processes.h"
#include "app/tray/processes/entry.h"
#include "app/tray/processes/pins.h"
#include "core/monitor/monitor.h"

namespace faultline {

class ShownProcesses {
 public:
  ShownProcesses(const Monitor& monitor, const Pins& pins) : m_monitor(monitor), m_pins(pins) {}

  // Adds the processes that exited in the newest sample, and those of `entries` that are missing from it.
  void addEnded(const std::vector<ProcessEntry>& entries);
  void forgetEnded() { m_ended.clear(); }
  void update(std::optional<MonotonicTime> instant);  // nullopt: live

  [[nodiscard]] const std::vector<ProcessKey>& keys() const { return m_keys; }  // sorted
  [[nodiscard]] bool has(const ProcessKey& key) const;
  [[nodiscard]] bool runs(const ProcessKey& key) const;
  [[nodiscard]] std::optional<std::string> nameOf(const ProcessKey& key) const;

 private:
  const Monitor& m_monitor;
  const Pins& m_pins;
  EndedProcesses m_ended;
  std::vector<ProcessKey> m_running;  // sorted
  std::vector<ProcessKey> m_keys;
};

}  // namespace faultline
