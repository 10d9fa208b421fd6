// Timeline: the times of one tier's slots. A slot is one moment in the raw tier, a bucket of moments in the others.
#pragma once

#include <cassert>

#include "core/base/units.h"
#include "core/history/ring.h"

namespace faultline {

// Sums over moments; the first moment of all has no interval.
struct Sums {
  Nanoseconds covered{0};  // their intervals
  std::uint32_t moments = 0;
  std::uint32_t brief = 0;  // moments too soon after their predecessor for rates

  [[nodiscard]] Sums operator-(const Sums& other) const {
    return {covered - other.covered, moments - other.moments, brief - other.brief};
  }
  [[nodiscard]] Sums operator+(const Sums& other) const {
    return {covered + other.covered, moments + other.moments, brief + other.brief};
  }
  [[nodiscard]] bool rated() const { return brief < moments; }
};

struct Slot {
  MonotonicTime start;
  MonotonicTime end;
  WallTime wall;  // at start
  Sums before;    // of all earlier moments
  bool gapBefore = false;
};

// Slots are numbered from the beginning of history, modulo 2^32; `base` is the number of the oldest slot kept.
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
  // Sums of the moments in the slots numbered [first, last).
  [[nodiscard]] Sums sums(std::uint32_t first, std::uint32_t last) const {
    return (last == next() ? m_sums : numbered(last).before) - numbered(first).before;
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

  // Adds a slot for the moments after those already pushed; `added` are their sums.
  void push(MonotonicTime start, MonotonicTime end, WallTime wall, bool gapBefore, const Sums& added,
            std::size_t& account) {
    m_slots.push({start, end, wall, m_sums, gapBefore}, account);
    m_sums = m_sums + added;
  }
  void dropBefore(std::uint32_t number, std::size_t& account) {
    m_slots.pop(number - m_base, account);
    m_base = number;
  }

 private:
  Ring<Slot> m_slots;
  std::uint32_t m_base = 0;
  Sums m_sums;  // of all moments ever pushed
};

}  // namespace faultline
