// PerfEvent: an event of perf_event_open(2). Only opening may need cap_perfmon. Errors are errno. No event has
// remove_on_exec: if the kernel (seen in 6.12 and 7.3) removes an event at exec() before perf_event_open() has put it
// into the list of its owner, the kernel stops with "list_del corruption".
#pragma once

#include <linux/perf_event.h>

#include <cstdint>

#include "core/base/result.h"
#include "platform/system/posix/unique_fd.h"

namespace faultline {

// The thread and the processor to which an event is limited; -1: all.
struct PerfScope {
  int thread = -1;
  int processor = -1;
};

class PerfEvent {
 public:
  // ENODEV: the processor does not exist or is offline. ESRCH: the thread has ended.
  [[nodiscard]] static Result<PerfEvent, int> open(perf_event_attr attributes, PerfScope scope);

  // Sends the records to the ring of another event on the same processor. 0 or errno.
  [[nodiscard]] int writeInto(const PerfEvent& other) const;
  // Runs the BPF program at each occurrence, also in threads that inherit the event from then on. 0 or errno.
  [[nodiscard]] int run(int program) const;
  void enable(bool on) const;
  [[nodiscard]] std::uint64_t id() const;  // its PERF_SAMPLE_IDENTIFIER
  [[nodiscard]] int file() const { return m_file.get(); }

 private:
  explicit PerfEvent(UniqueFd file) : m_file(std::move(file)) {}

  UniqueFd m_file;
};

}  // namespace faultline
