#include "core/perfetto/fault_rows.h"

#include <algorithm>

#include "core/culprits/culprits.h"
#include "core/text/utf8.h"

namespace faultline {

// Beside the thread's own slices, which a fault with a rounded time may cut.
void FaultRows::add(const FaultSample& sample, std::uint64_t process, PerfettoTrace& trace, std::string& out) {
  std::string name = "Page faults of thread " + std::to_string(sample.thread);
  if (!sample.threadName.empty()) name += " (" + validUtf8(sample.threadName) + ")";
  const std::uint64_t row = trace.slices(process, name, out);
  ProtobufMessage begin = perfettoEvent(sample.major ? "major page fault" : "page fault", "fault");
  addNote(begin, "stands_for_faults", 3, sample.weight);
  addNote(begin, "address", 7, sample.address);
  addNote(begin, "memory", 6, validUtf8(memoryName(sample)));
  if (sample.calls) addNote(begin, "code", 6, validUtf8(culpritLine(stackOf(sample.calls))));
  if (!sample.took) return trace.addEvent(PerfettoEvent::Instant, row, begin, sample.time, out);
  MonotonicTime& last = m_ends[row];
  const MonotonicTime from = std::max(sample.time - *sample.took, last);
  last = std::max(sample.time, last);
  trace.addSlice(row, begin, from, last, out);
}

}  // namespace faultline
