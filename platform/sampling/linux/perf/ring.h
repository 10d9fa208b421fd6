// PerfRing: a perf event and its ring buffer, into which other events of the same processor may write, too. Failures
// are errno.
#pragma once

#include <cstddef>

#include "core/base/result.h"
#include "platform/sampling/linux/perf/event.h"
#include "platform/sampling/records/perf_ring_records.h"

namespace faultline {

class PerfRing {
 public:
  // Of one processor, with a ring of the usual size. ENOBUFS: this user may lock no more memory for rings.
  [[nodiscard]] static Result<PerfRing, int> open(const perf_event_attr& attributes, int processor);
  // `bytes` is a power of two and some pages.
  [[nodiscard]] static Result<PerfRing, int> map(PerfEvent event, std::size_t bytes);
  ~PerfRing();
  PerfRing(PerfRing&& other) noexcept;
  PerfRing& operator=(PerfRing&&) = delete;

  [[nodiscard]] const PerfEvent& event() const { return m_event; }
  [[nodiscard]] PerfUnread unread() const;  // what has come since then; valid until it is released
  void release(const PerfUnread& read);
  void read(PerfRecords& out);  // appends what has come since it was last read
  void discard();               // reads it and forgets it
  void enable(bool on) const { m_event.enable(on); }

 private:
  PerfRing(PerfEvent event, std::size_t bytes) : m_event(std::move(event)), m_bytes(bytes) {}

  PerfEvent m_event;
  std::size_t m_bytes;
  perf_event_mmap_page* m_control = nullptr;  // the ring lies behind it
};

}  // namespace faultline
