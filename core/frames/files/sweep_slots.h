// SweepSlots: the faults of one process from sweep to sweep, as slots of time. There is a gap where the process was not
// seen or a counter is invalid.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/model/game_frame.h"
#include "core/model/hello.h"
#include "core/model/snapshot.h"

namespace faultline {

class SweepSlots {
 public:
  explicit SweepSlots(std::uint32_t pid) : m_pid(pid) {}

  void add(const Hello& hello);
  void add(const Snapshot& snapshot);

  [[nodiscard]] const std::vector<GameFrame>& slots() const { return m_slots; }
  [[nodiscard]] const std::string& name() const { return m_last.name; }

 private:
  void addSlot(const ProcessSample& now, MonotonicTime from, MonotonicTime to);

  std::uint32_t m_pid;
  Hello m_hello;
  ProcessSample m_last;
  std::optional<MonotonicTime> m_lastTime;  // absent: m_last is not the previous sweep's
  std::vector<GameFrame> m_slots;
};

}  // namespace faultline
