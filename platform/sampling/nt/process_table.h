// NtProcessTable: turns the kernel's lists of processes into samples with unique keys. Not thread-safe; allocates only
// for more processes, or longer names, than ever before.
#pragma once

#include <cstdint>
#include <vector>

#include "core/model/snapshot.h"
#include "core/parse/nt/processes.h"

namespace faultline {

// The fields that this system fills in: Wine leaves many at 0, old Windows some.
struct NtFields {
  bool faults = false;
  bool hardFaults = false;
  bool workingSet = false;
  bool privateWorkingSet = false;
  bool privateBytes = false;
  bool pagefileBytes = false;

  bool operator==(const NtFields&) const = default;
};
// `trusted`: the kernel is known to count faults, so that 0 means no faults. A size that is 0 in all processes is not
// provided.
[[nodiscard]] NtFields fieldsProvided(const std::vector<NtProcess>& processes, bool trusted);

// Overwrites `out`. False if the list is invalid: `out` then holds the processes before the error.
[[nodiscard]] bool listNtProcesses(std::span<const std::byte> bytes, std::uint64_t address,
                                   std::vector<NtProcess>& out);

class NtProcessTable {
 public:
  // `bootTime`: wall time of the boot, as NtSystemValues::bootTime(), 100 ns since 1601.
  NtProcessTable(NtFields fields, std::uint64_t bootTime) : m_fields(fields), m_bootTime(bootTime) {}

  // Overwrites `out`, sorted by key; sorts `processes`, too, and removes process 0 (the idle processors). `sinceBoot`
  // is the present time, suspend included, and must not decrease.
  void sweep(std::vector<NtProcess>& processes, Nanoseconds sinceBoot, std::vector<ProcessSample>& out);

 private:
  struct Known {
    std::uint32_t pid = 0;
    std::uint64_t createTime = 0;
    std::uint64_t startTime = 0;
  };

  void identify(const std::vector<NtProcess>& processes, std::uint64_t now);
  [[nodiscard]] bool hasParent(const NtProcess& process, std::uint64_t startTime) const;
  [[nodiscard]] std::uint64_t startTime(const NtProcess& process, const Known* before, std::uint64_t now) const;
  void fill(const NtProcess& process, std::uint64_t startTime, ProcessSample& out) const;

  NtFields m_fields;
  std::uint64_t m_bootTime;
  std::uint64_t m_swept = 0;   // sinceBoot of the latest sweep
  std::vector<Known> m_known;  // of the latest sweep, sorted by pid
  std::vector<Known> m_next;
};

}  // namespace faultline
