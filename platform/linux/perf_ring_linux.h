// PerfRing: one perf event of one processor and its ring buffer. Opening it may need cap_perfmon, nothing later does.
// Failures are errno.
#pragma once

#include <linux/perf_event.h>

#include <cstddef>
#include <cstdint>
#include <tl/expected.hpp>

#include "platform/linux/perf_ring_records.h"

namespace faultline {

class PerfRing {
 public:
  // ENODEV: that processor is not there, or not now. ENOBUFS: this user may lock no more memory for rings.
  [[nodiscard]] static tl::expected<PerfRing, int> open(perf_event_attr attributes, int processor);
  ~PerfRing();
  PerfRing(PerfRing&& other) noexcept;
  PerfRing& operator=(PerfRing&&) = delete;

  void read(PerfRecords& out);  // appends what has come since it was last read
  void discard();               // reads it and forgets it
  void enable(bool on) const;

 private:
  PerfRing() = default;

  int m_file = -1;
  perf_event_mmap_page* m_control = nullptr;  // the ring lies behind it
};

}  // namespace faultline
