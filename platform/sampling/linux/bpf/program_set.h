// The sweep's programs, and which of them are loaded on a kernel.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "platform/sampling/linux/bpf/fault_timing.h"
#include "platform/sampling/linux/bpf/handles.h"
#include "platform/sampling/linux/bpf/parts.h"
#include "platform/sampling/linux/facts/refusal.h"
#include "platform/sampling/records/sweep_records.h"

namespace faultline {

struct BpfProgram {
  const char* name;
  BpfPart part;
  const char* tracepoint = nullptr;
  std::optional<FaultWay> way = {};  // absent: any way
  std::optional<TeardownWay> teardown = {};
};
inline constexpr std::array kBpfPrograms = std::to_array<BpfProgram>({
    {"sweep", BpfPart::Sweep},
    {"countZeroed", BpfPart::Zeroing, "mm_page_alloc"},
    {kCountsAgain, BpfPart::Zeroing, "mm_page_alloc"},
    {"rememberParent", BpfPart::Exits, "sched_process_fork"},
    {"reportExit", BpfPart::Exits, "sched_process_exit"},
    {"beginUserFault", BpfPart::FaultTime, "page_fault_user"},
    {"beginKernelFault", BpfPart::FaultTime, "page_fault_kernel"},
    {"enterFault", BpfPart::FaultTime, nullptr, FaultWay::Function},
    {"leaveFault", BpfPart::FaultTime, nullptr, FaultWay::Function},
    {"endMinorFault", BpfPart::FaultTime, nullptr, FaultWay::Event},
    {"endMajorFault", BpfPart::FaultTime, nullptr, FaultWay::Event},
    {"switchThreads", BpfPart::FaultParts, "sched_switch"},
    {"wakeThread", BpfPart::FaultParts, "sched_wakeup"},
    {"beginReclaim", BpfPart::FaultEfforts, "mm_vmscan_direct_reclaim_begin"},
    {"endReclaim", BpfPart::FaultEfforts, "mm_vmscan_direct_reclaim_end"},
    {"beginGroupReclaim", BpfPart::FaultEfforts, "mm_vmscan_memcg_reclaim_begin"},
    {"endGroupReclaim", BpfPart::FaultEfforts, "mm_vmscan_memcg_reclaim_end"},
    {"beginCompaction", BpfPart::FaultEfforts, "mm_compaction_begin"},
    {"endCompaction", BpfPart::FaultEfforts, "mm_compaction_end"},
    {"countFreed", BpfPart::Freeing, "mm_page_free"},
    {"countReclaimed", BpfPart::Reclaim, "mm_vmscan_direct_reclaim_end"},
    {"countReclaimedInGroup", BpfPart::Reclaim, "mm_vmscan_memcg_reclaim_end"},
    {"enterPartTeardown", BpfPart::Teardown, nullptr, {}, TeardownWay::Function},
    {"enterWholeTeardown", BpfPart::Teardown, nullptr, {}, TeardownWay::Function},
    {"leaveTeardown", BpfPart::Teardown, nullptr, {}, TeardownWay::Function},
    {"waitForMappings", BpfPart::Teardown, "mmap_lock_start_locking", {}, TeardownWay::Lock},
    {"leaveMappings", BpfPart::Teardown, "mmap_lock_released", {}, TeardownWay::Lock},
    {"leaveMemory", BpfPart::ExitMemory, "exit_mmap"},
});

using BpfParts = std::array<bool, kBpfPartCount>;
using BpfReasons = std::array<Unavailable, kBpfPartCount>;
[[nodiscard]] inline bool& at(BpfParts& parts, BpfPart part) {
  return parts[static_cast<std::size_t>(part)];
}
[[nodiscard]] inline Unavailable& at(BpfReasons& reasons, BpfPart part) {
  return reasons[static_cast<std::size_t>(part)];
}

struct BpfPlan {
  SweepSettings settings;
  FaultWay way = FaultWay::Function;
  TeardownWay teardown = TeardownWay::Function;

  [[nodiscard]] bool takes(const BpfProgram& program) const {
    if (program.way) return *program.way == way;
    if (program.teardown) return *program.teardown == teardown;
    if (program.name == std::string_view(kCountsAgain)) return settings.gfp.countsTwice != 0;
    return program.part != BpfPart::FaultTime || settings.faultsBeginAtEntry == 0;
  }
};

// Loads the wanted parts, or those of them that the kernel does not refuse. Null: the part Sweep does not work.
[[nodiscard]] BpfObject loadMost(const BpfPlan& plan, BpfParts wanted, BpfReasons& reasons);

}  // namespace faultline
