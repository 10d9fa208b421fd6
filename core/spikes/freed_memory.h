// FreedMemoryLog: memory that processes gave back in the last minute: the part of their resident and promised memory
// that went from one sample to the next, and all of it when they end.
#pragma once

#include <deque>
#include <map>

#include "core/spikes/spike.h"

namespace faultline {

class FreedMemoryLog {
 public:
  void add(const Moment& moment);
  // The process that gave back most in intervals that end in [from, to]; absent if none gave back anything.
  [[nodiscard]] std::optional<FreedMemory> most(MonotonicTime from, MonotonicTime to) const;
  void clear() { *this = {}; }

 private:
  struct Held {
    std::string name;
    std::uint64_t resident = 0;
    std::uint64_t commit = 0;
  };
  struct Entry {
    MonotonicTime time;
    FreedMemory freed;
  };

  void note(MonotonicTime time, const ProcessKey& key, const Held& before, std::uint64_t resident,
            std::uint64_t commit);

  std::map<ProcessKey, Held> m_held;
  std::deque<Entry> m_entries;  // oldest first
};

}  // namespace faultline
