// PerfRing: a perf event with its ring buffer. Other events of the same processor may write into the ring too. Errors
// are errno.
#pragma once

#include <cstddef>

#include "core/base/result.h"
#include "platform/sampling/linux/perf/event.h"
#include "platform/sampling/records/perf_ring_records.h"

namespace faultline {

class PerfRing {
 public:
  // Limited to a processor, with a ring of the usual size. ENOBUFS: this user may lock no more memory for rings.
  [[nodiscard]] static Result<PerfRing, int> open(const perf_event_attr& attributes, int processor);
  // `bytes`: a power of two, at least a page.
  [[nodiscard]] static Result<PerfRing, int> map(PerfEvent event, std::size_t bytes);
  ~PerfRing();
  PerfRing(PerfRing&& other) noexcept;
  PerfRing& operator=(PerfRing&&) = delete;

  [[nodiscard]] const PerfEvent& event() const { return m_event; }
  [[nodiscard]] PerfUnread unread() const;  // records not released yet; valid until release()
  void release(const PerfUnread& read);
  void read(PerfRecords& out);  // appends the unread records, and releases them
  void discard();               // releases the unread records
  void enable(bool on) const { m_event.enable(on); }

 private:
  PerfRing(PerfEvent event, std::size_t bytes) : m_event(std::move(event)), m_bytes(bytes) {}

  PerfEvent m_event;
  std::size_t m_bytes;
  perf_event_mmap_page* m_control = nullptr;  // the ring follows it
};

}  // namespace faultline
