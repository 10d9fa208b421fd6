#include "platform/sampling/linux/watch/bpf/object.h"

#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <utility>

#include "platform/sampling/linux/watch/bpf/image.h"
#include "platform/sampling/linux/watch/bpf/mark_ways.h"
#include "platform/sampling/linux/watch/bpf/probes.h"
#include "platform/sampling/linux/watch/bpf/thread_faults.h"

namespace faultline {
namespace {

constexpr std::uint32_t kSomeRoom = std::uint32_t{8} << 20U;

struct Program {
  const char* name;
  WatchPart part;
  const char* tracepoint = nullptr;
  std::optional<FaultWay> way = {};  // absent: any way
};
// Attached in this order: an interrupt whose beginning is seen must not end unseen.
constexpr std::array<Program, 36> kPrograms{{
    {"mark", WatchPart::Marks},
    {"beginLookup", WatchPart::Marks},
    {"endLookup", WatchPart::Marks},
    {"markAtBreakpoint", WatchPart::Marks},
    {"markAtGetrusage", WatchPart::Marks},
    {"endThread", WatchPart::Marks, "sched_process_exit"},
    {"leaveProgram", WatchPart::Marks, "sched_process_exec"},
    {"leaveMemory", WatchPart::ExitMemory, "exit_mmap"},
    {"beginUserFault", WatchPart::Beginnings, "page_fault_user"},
    {"beginKernelFault", WatchPart::Beginnings, "page_fault_kernel"},
    {"countZeroed", WatchPart::Zeroing, "mm_page_alloc"},
    {kCountsAgain, WatchPart::Zeroing, "mm_page_alloc"},
    {"enterFault", WatchPart::Ends, nullptr, FaultWay::Function},
    {"leaveFault", WatchPart::Ends, nullptr, FaultWay::Function},
    {"endMinorFault", WatchPart::Ends, nullptr, FaultWay::Event},
    {"endMajorFault", WatchPart::Ends, nullptr, FaultWay::Event},
    {"switchThreads", WatchPart::FaultParts, "sched_switch"},
    {"wakeThread", WatchPart::FaultParts, "sched_wakeup"},
    {"beginTeardown", WatchPart::Teardown},
    {"endTeardown", WatchPart::Teardown},
    {"countFreed", WatchPart::Freeing, "mm_page_free"},
    {"noteFutexWait", WatchPart::Delay, "sched_switch"},
    {"beginReclaim", WatchPart::Efforts, "mm_vmscan_direct_reclaim_begin"},
    {"endReclaim", WatchPart::Efforts, "mm_vmscan_direct_reclaim_end"},
    {"beginGroupReclaim", WatchPart::Efforts, "mm_vmscan_memcg_reclaim_begin"},
    {"endGroupReclaim", WatchPart::Efforts, "mm_vmscan_memcg_reclaim_end"},
    {"beginCompaction", WatchPart::Efforts, "mm_compaction_begin"},
    {"endCompaction", WatchPart::Efforts, "mm_compaction_end"},
    {"leaveTimer", WatchPart::Path, "hrtimer_expire_exit"},
    {"enterTimer", WatchPart::Path, "hrtimer_expire_entry"},
    {"leaveDevice", WatchPart::Path, "irq_handler_exit"},
    {"enterDevice", WatchPart::Path, "irq_handler_entry"},
    {"leaveSoft", WatchPart::Path, "softirq_exit"},
    {"enterSoft", WatchPart::Path, "softirq_entry"},
    {"noteThread", WatchPart::Path, "sched_process_fork"},
    {"noteWaker", WatchPart::Path, "sched_waking"},
}};

using Parts = std::array<bool, kWatchPartCount>;
bool& at(Parts& parts, WatchPart part) {
  return parts[static_cast<std::size_t>(part)];
}

// The program is used with this timing.
bool takes(FaultTiming timing, const Program& program) {
  if (program.way) return *program.way == timing.way;
  return program.part != WatchPart::Beginnings || !timing.entry;
}

Unavailable whyNoDelay(const WatchSettings& settings, const Unavailable& noDelay) {
  if (settings.delay == 0) return {.why = "No delay of faults was requested", .enable = {}};
  if (!noDelay.why.empty()) return noDelay;
  if (settings.slot == 0) return {};
  return {.why = "Frames of an assumed length do not show a delay of their faults",
          .enable = "Frames by the game's own marks, or by calls of a function."};
}

// Loads these parts; null, with errno set, if a program is refused.
BpfObject loadParts(WatchSettings settings, FaultTiming timing, Parts parts) {
  BpfObject object = openBpfObject(kWatchBpfBytes);
  if (!object) return object;
  if (!at(parts, WatchPart::Samples)) settings.samples = kSampleNone;
  settings.splitsFaults = at(parts, WatchPart::FaultParts) ? 1U : 0U;
  settings.countsFreed = at(parts, WatchPart::Freeing) ? 1U : 0U;
  settings.followsPath = at(parts, WatchPart::Path) ? settings.splitsFaults : 0U;
  if (!at(parts, WatchPart::Delay)) settings.delay = 0;
  const auto map = [&](const char* name) { return bpf_object__find_map_by_name(object.get(), name); };
  bpf_map__set_initial_value(map(".rodata"), &settings, sizeof settings);
  if (settings.samples != kSampleNone) {
    const bool every = settings.samples == kSampleAll || settings.samples == kSampleBare;
    bpf_map__set_max_entries(map("samples"), every ? std::uint32_t{kEveryRoom} : kSomeRoom);
  }
  for (const Program& program : kPrograms) {
    bpf_program* const found = bpf_object__find_program_by_name(object.get(), program.name);
    const bool wanted = at(parts, program.part) && takes(timing, program) && isWanted(program.name, settings);
    bpf_program__set_autoload(found, wanted);
    if (isAtProbes(program.name))
      bpf_program__set_expected_attach_type(found, static_cast<bpf_attach_type>(kTraceUprobeMulti));
  }
  return loadBpfObject(std::move(object));
}

}  // namespace

std::optional<Unavailable> WatchObject::load(const MaybeFaultTiming& timing, const BpfKernel& kernel,
                                             WatchSettings settings, const ProcessFolder& folder) {
  const auto reason = [&](WatchPart part) -> Unavailable& { return m_abilities.reason(part); };
  const auto works = [&](WatchPart part) { return m_abilities.works(part); };
  m_abilities.sparesClearing = kernel.sparesClearing();
  if (timing) m_abilities.timing = *timing;
  else reason(WatchPart::Ends) = timing.error();
  settings.tellsState = kernel.argumentsOf("sched_switch") > 3 ? 1U : 0U;
  settings.faultsBeginAtEntry = m_abilities.timing.entry ? 1U : 0U;
  for (const Program& program : kPrograms)
    if (program.tracepoint != nullptr && takes(m_abilities.timing, program) &&
        !kernel.hasTracepoint(program.tracepoint))
      reason(program.part) = noTracepoint(program.tracepoint);
  for (const char* const function : {"tlb_gather_mmu", "tlb_finish_mmu"})
    if (works(WatchPart::Teardown)) reason(WatchPart::Teardown) = kernel.whyNotAt(function);
  if (!kernel.ownMemoryFlag()) reason(WatchPart::Freeing).why = kNoOwnMemory;
  if (!m_noSlot.why.empty())
    for (const WatchPart part : {WatchPart::Beginnings, WatchPart::Zeroing, WatchPart::Teardown, WatchPart::Freeing})
      reason(part) = m_noSlot;
  if (settings.samples == kSampleNone) reason(WatchPart::Samples).why = "Single faults were not requested";
  if (works(WatchPart::Delay)) reason(WatchPart::Delay) = whyNoDelay(settings, m_noDelay);
  auto trouble = loadMost(settings);
  if (trouble) return trouble;
  m_shared = mapBpfShared<WatchShared>(m_object);
  if (!m_shared) return refusedByKernel("share memory with BPF programs", errno);
  if (works(WatchPart::Ends)) reason(WatchPart::Ends) = attachToEnds(folder);
  for (const WatchPart part : {WatchPart::FaultTime, WatchPart::Samples, WatchPart::Delay})
    for (const WatchPart needed : {WatchPart::Beginnings, WatchPart::Ends})
      if (works(part)) reason(part) = reason(needed);
  if (works(WatchPart::FaultTime) && works(WatchPart::FaultParts)) reason(WatchPart::FaultParts) = attachToSwitches();
  for (const WatchPart part : {WatchPart::FaultParts, WatchPart::Efforts})
    if (!works(WatchPart::FaultTime)) reason(part) = reason(WatchPart::FaultTime);
  if (works(WatchPart::Path)) reason(WatchPart::Path) = reason(WatchPart::FaultParts);
  if (works(WatchPart::Teardown)) reason(WatchPart::Teardown) = attachToTeardown();
  return std::nullopt;
}

// A refused program makes the whole object fail, and the kernel does not say which program it was: tries one after the
// other.
std::optional<Unavailable> WatchObject::loadMost(WatchSettings settings) {
  Parts wanted{};
  std::ranges::transform(m_abilities.reasons, wanted.begin(),
                         [](const Unavailable& reason) { return reason.why.empty(); });
  m_object = loadParts(settings, m_abilities.timing, wanted);
  if (m_object) return std::nullopt;
  Parts most{};
  at(most, WatchPart::Marks) = true;
  for (const WatchPart part : {WatchPart::Beginnings, WatchPart::Ends, WatchPart::Zeroing, WatchPart::Samples,
                               WatchPart::FaultParts, WatchPart::Teardown, WatchPart::Delay, WatchPart::Efforts,
                               WatchPart::Path, WatchPart::Freeing, WatchPart::ExitMemory}) {
    if (!at(wanted, part)) continue;
    Parts more = most;
    at(more, part) = true;
    if (loadParts(settings, m_abilities.timing, more)) most = more;
    else m_abilities.reason(part) = refusedByKernel("load the BPF program for it", errno);
  }
  m_object = loadParts(settings, m_abilities.timing, most);
  if (m_object) return std::nullopt;
  return refusedByKernel("load BPF programs", errno);
}

Unavailable WatchObject::attachToEnds(const ProcessFolder& folder) {
  if (m_abilities.timing.way == FaultWay::Event) {
    const int error = attachToEvents(folder);
    if (error == ESRCH) return gameHasLeft();
    return error == 0 ? Unavailable{} : refusedEvent("report the ends of page faults", error);
  }
  if (Unavailable reason = attachPair("enterFault", "leaveFault"); !reason.why.empty()) return reason;
  makeFault();
  return __atomic_load_n(&m_shared->endsSeen, __ATOMIC_RELAXED) != 0 ? Unavailable{} : noFaultSeen();
}

// If the game creates threads all the time, attaches to the faults of all processes; the programs skip the others.
int WatchObject::attachToEvents(const ProcessFolder& folder) {
  const std::array programs{FaultProgram{.program = program("endMinorFault"), .kind = PERF_COUNT_SW_PAGE_FAULTS_MIN},
                            FaultProgram{.program = program("endMajorFault"), .kind = PERF_COUNT_SW_PAGE_FAULTS_MAJ}};
  const int refused = attachBpfToThreads(folder, programs, m_events);
  if (refused != EAGAIN || !m_noSlot.why.empty()) return refused;
  m_events.clear();
  std::vector<int> events;
  int error = attachBpfToFaults(m_object, "endMinorFault", PERF_COUNT_SW_PAGE_FAULTS_MIN, m_links, events);
  if (error == 0) error = attachBpfToFaults(m_object, "endMajorFault", PERF_COUNT_SW_PAGE_FAULTS_MAJ, m_links, events);
  for (const int event : events) ioctl(event, PERF_EVENT_IOC_ENABLE, 0);
  return error;
}

int WatchObject::attachToTracepoints() {
  for (const Program& program : kPrograms) {
    if (program.tracepoint == nullptr || program.part == WatchPart::FaultParts) continue;
    if (!m_abilities.works(program.part) || this->program(program.name) < 0) continue;  // not loaded
    if (const int error = attachBpf(m_object, program.name, m_links); error != 0) return error;
  }
  return 0;
}

int WatchObject::program(const char* name) const {
  return bpf_program__fd(bpf_object__find_program_by_name(m_object.get(), name));
}

int WatchObject::map(const char* name) const {
  return bpf_object__find_map_fd_by_name(m_object.get(), name);
}

void WatchObject::keep(std::vector<PerfEvent> events) {
  std::ranges::move(events, std::back_inserter(m_events));
}

Unavailable WatchObject::attachPair(const char* first, const char* second) {
  for (const char* const program : {first, second})
    if (const int error = attach(program); error != 0) return refusedByKernel("attach the BPF program for it", error);
  return {};
}

// All or nothing: half of the programs would see waits without an end.
Unavailable WatchObject::attachToSwitches() {
  const std::size_t linksBefore = m_links.size();
  Unavailable reason = attachPair("switchThreads", "wakeThread");
  makeSwitch(m_shared->switched);
  if (reason.why.empty() && __atomic_load_n(&m_shared->switched, __ATOMIC_RELAXED) == 0) reason = noFaultSeen();
  if (!reason.why.empty()) m_links.resize(linksBefore);
  return reason;
}

Unavailable WatchObject::attachToTeardown() {
  if (Unavailable reason = attachPair("beginTeardown", "endTeardown"); !reason.why.empty()) return reason;
  makeFault();  // and gives the page back
  return __atomic_load_n(&m_shared->teardownSeen, __ATOMIC_RELAXED) != 0 ? Unavailable{} : noFaultSeen();
}

}  // namespace faultline
