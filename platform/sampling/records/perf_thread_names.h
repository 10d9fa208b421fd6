// PerfThreadNames: what the threads of a game are called, as the records of perf events tell (COMM, FORK, EXIT). Pure.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include "platform/sampling/records/perf_record.h"

namespace faultline {

class PerfThreadNames {
 public:
  void set(std::uint32_t thread, std::string name);
  void learn(const PerfRecord& record);  // those of other kinds teach nothing

  // The bytes the kernel gave; empty: not known. Of one that has ended, too: what it did may be read after that.
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
