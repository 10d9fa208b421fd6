// PerfThreadNames: the names of a game's threads, from the COMM, FORK and EXIT records of perf events. Makes no system
// call.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include "platform/sampling/records/perf_record.h"

namespace faultline {

class PerfThreadNames {
 public:
  void set(std::uint32_t thread, std::string name);
  void learn(const PerfRecord& record);  // ignores records of other types

  // The kernel's bytes; empty: not known. Names of ended threads are kept, because their samples may be read later.
  [[nodiscard]] std::string of(std::uint32_t thread) const;

 private:
  struct Thread {
    std::string name;
    bool ended = false;
  };
  void begin(std::uint32_t thread, std::uint32_t parent);

  std::unordered_map<std::uint32_t, Thread> m_threads;
};

}  // namespace faultline
