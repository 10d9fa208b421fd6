// The process that keeps one run's processes together: it is the parent of the program and of all processes that lose
// their own parent, it counts what they used, and none of them outlives it.
#pragma once

#include <sys/types.h>

#include <cstdint>

#include "platform/host/child_process.h"
#include "platform/host/trial/linux/own_group.h"
#include "platform/host/trial/run.h"

namespace faultline {

// The report of the keeper, at the end. Times in ns.
struct FamilyReport {
  int error = 0;  // of starting the program; the rest is then empty
  ExitStatus end{.known = false};
  bool ended = false;  // by FamilyOrder::End
  std::int64_t wall = 0;
  std::int64_t processor = 0;
  std::int64_t system = 0;   // the part of `processor` in the kernel
  std::int64_t waited = -1;  // the first thread's wait for a processor; -1: unknown
  std::uint64_t minorFaults = 0;
  std::uint64_t majorFaults = 0;
  std::uint64_t startFaults = 0;  // not in these: of the program's process, before it executed the program
  std::uint64_t peakBytes = 0;
  std::uint64_t peakCommitBytes = 0;  // as sampled; 0: unknown
  bool grouped = false;               // the run's group has counted, too
  std::uint64_t unwaitedFaults = 0;   // in minorFaults and majorFaults: of processes that nobody waited for
  std::uint64_t groupPeakBytes = 0;   // 0: unknown
  bool peakAtMost = false;
};

// An order of the report's reader to the keeper, in a message of its own.
enum class FamilyOrder : char { Release = 'r', End = 'e' };

struct FamilyFiles {
  int input = -1;
  int output = -1;
  int errors = -1;
  int report = -1;                  // a socket for messages; when its reader is gone, the keeper ends the run
  const OwnGroup* group = nullptr;  // null: none
};

// In a process of its own, just forked. Sends one FamilyReport, unless the reader of the report is gone. `held`: the
// program stands still until it is released, where the system can do that; its pid_t is sent before.
[[noreturn]] void keepFamily(const TrialCommand& command, const FamilyFiles& files, bool held);

}  // namespace faultline
