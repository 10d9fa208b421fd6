// Timeline: when the slots of one tier of history were. A slot is one moment in the raw tier, a bucket of them above.
#pragma once

#include <cassert>

#include "core/base/units.h"
#include "core/monitor/ring.h"

namespace faultline {

struct Slot {
  MonotonicTime start;
  MonotonicTime end;
  WallTime wall;             // at start
  std::uint32_t moment = 0;  // number of its first one; those are the slot numbers of the raw tier
  bool gapBefore = false;
};

// Slots are numbered from the beginning of history, modulo 2^32; `base` is the number of the oldest one kept.
class Timeline {
 public:
  [[nodiscard]] std::uint32_t base() const { return m_base; }
  [[nodiscard]] std::uint32_t next() const { return m_base + m_slots.size(); }
  [[nodiscard]] std::uint32_t size() const { return m_slots.size(); }
  [[nodiscard]] bool empty() const { return m_slots.empty(); }
  [[nodiscard]] bool full() const { return m_slots.size() == Ring<Slot>::kMost; }
  [[nodiscard]] const Slot& operator[](std::uint32_t offset) const { return m_slots[offset]; }
  [[nodiscard]] const Slot& front() const { return m_slots.front(); }
  [[nodiscard]] const Slot& back() const { return m_slots.back(); }
  // How many moments the slots numbered [first, last) hold.
  [[nodiscard]] std::uint32_t moments(std::uint32_t first, std::uint32_t last) const {
    return (last == next() ? m_nextMoment : numbered(last).moment) - numbered(first).moment;
  }
  [[nodiscard]] const Slot& numbered(std::uint32_t number) const { return m_slots[number - m_base]; }

  // Offset of the first slot that starts at or after `time`; size() if none does.
  [[nodiscard]] std::uint32_t firstFrom(MonotonicTime time) const {
    std::uint32_t low = 0;
    std::uint32_t high = m_slots.size();
    while (low < high) {
      const std::uint32_t middle = low + (high - low) / 2;
      if (m_slots[middle].start < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }
  // Offset of the last slot that starts at or before `time`; size() if none does.
  [[nodiscard]] std::uint32_t lastAt(MonotonicTime time) const {
    const std::uint32_t later = firstFrom(time + Nanoseconds{1});
    return later == 0 ? m_slots.size() : later - 1;
  }
  // Number of the first slot that starts after `time`; next() if none does.
  [[nodiscard]] std::uint32_t after(MonotonicTime time) const { return m_base + firstFrom(time + Nanoseconds{1}); }

  // `moments` follow each other without a hole from push to push.
  void push(const Slot& slot, std::uint32_t moments, std::size_t& account) {
    m_slots.push(slot, account);
    m_nextMoment = slot.moment + moments;
  }
  void dropBefore(std::uint32_t number, std::size_t& account) {
    m_slots.pop(number - m_base, account);
    m_base = number;
  }

 private:
  Ring<Slot> m_slots;
  std::uint32_t m_base = 0;
  std::uint32_t m_nextMoment = 0;
};

}  // namespace faultline
