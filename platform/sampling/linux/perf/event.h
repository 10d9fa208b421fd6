// PerfEvent: one event of the kernel's perf_event_open(2). Opening it may need cap_perfmon, nothing later does.
// Failures are errno. No event has remove_on_exec: if the kernel (seen in 6.12 and 7.3) removes an event at exec()
// before perf_event_open() has put it into the list of its owner, the kernel stops with "list_del corruption".
#pragma once

#include <linux/perf_event.h>

#include <cstdint>

#include "core/base/result.h"
#include "platform/system/posix/unique_fd.h"

namespace faultline {

// Where an event is looked for; -1: everywhere.
struct PerfScope {
  int thread = -1;
  int processor = -1;
};

class PerfEvent {
 public:
  // ENODEV: that processor is not there, or not now. ESRCH: the thread has ended.
  [[nodiscard]] static Result<PerfEvent, int> open(perf_event_attr attributes, PerfScope scope);

  // Has what it tells written into the ring of another event on the same processor. 0, or errno.
  [[nodiscard]] int writeInto(const PerfEvent& other) const;
  // Has that BPF program run wherever it would tell something, in threads that inherit it from then on, too. 0, or
  // errno.
  [[nodiscard]] int run(int program) const;
  void enable(bool on) const;
  [[nodiscard]] std::uint64_t id() const;  // with which PERF_SAMPLE_IDENTIFIER names it
  [[nodiscard]] int file() const { return m_file.get(); }

 private:
  explicit PerfEvent(UniqueFd file) : m_file(std::move(file)) {}

  UniqueFd m_file;
};

}  // namespace faultline
