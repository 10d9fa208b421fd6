#include "platform/sampling/linux/watch/bpf/thread_faults.h"

#include <linux/hw_breakpoint.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <iterator>

#include "platform/sampling/linux/facts/proc_files.h"

namespace faultline {
namespace {

constexpr int kMostLooks = 100;

int attach(std::uint32_t thread, const FaultProgram& program, std::vector<PerfEvent>& events) {
  perf_event_attr attributes{};
  if (program.address != 0) {
    attributes.type = PERF_TYPE_BREAKPOINT;
    attributes.bp_type = HW_BREAKPOINT_X;
    attributes.bp_addr = program.address;
    attributes.bp_len = sizeof(long);
    attributes.exclude_kernel = 1;
    attributes.exclude_hv = 1;
  } else {
    attributes.type = PERF_TYPE_SOFTWARE;
    attributes.config = program.kind;
  }
  attributes.sample_period = 1;
  attributes.inherit = 1;
  attributes.inherit_thread = 1;
  auto event = PerfEvent::open(attributes, {.thread = static_cast<int>(thread)});
  if (!event) return event.error();
  events.push_back(std::move(*event));
  return events.back().run(program.program);
}

}  // namespace

// A thread that begins meanwhile may have inherited the events of its creator, or none: it is handled, too. When no
// thread is left to handle, all later threads inherit all events. The kernel lists a thread a moment after it has let
// it inherit: so a look comes after a pause.
int attachBpfToThreads(const ProcessFolder& folder, std::span<const FaultProgram> programs,
                       std::vector<PerfEvent>& events) {
  static_cast<void>(raiseFileLimit());
  std::vector<std::uint32_t> done;
  bool paused = false;
  for (int look = 0; look < kMostLooks; ++look) {
    const std::vector<std::uint32_t> threads = folder.threads();
    std::vector<std::uint32_t> fresh;
    std::ranges::set_difference(threads, done, std::back_inserter(fresh));
    if (fresh.empty()) {
      if (paused || done.empty()) return done.empty() ? ESRCH : 0;
      constexpr timespec kMoment{.tv_sec = 0, .tv_nsec = 5'000'000};
      nanosleep(&kMoment, nullptr);
      paused = true;  // once: a game may begin threads all the time
    }
    for (const std::uint32_t thread : fresh)
      for (const FaultProgram& program : programs)
        if (const int error = attach(thread, program, events); error != 0 && error != ESRCH) return error;
    done = threads;
  }
  return EAGAIN;
}

}  // namespace faultline
