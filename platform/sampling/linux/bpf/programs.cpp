#include "platform/sampling/linux/bpf/programs.h"

#include <bpf/bpf.h>
#include <linux/perf_event.h>
#include <malloc.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "platform/sampling/linux/bpf/durations.h"
#include "platform/sampling/linux/bpf/handles.h"
#include "platform/sampling/linux/bpf/kernel.h"
#include "platform/sampling/linux/bpf/memory_call_numbers.h"
#include "platform/sampling/linux/bpf/program_set.h"

namespace faultline {
namespace {

constexpr std::size_t kLeastRoom = std::size_t{64} << 10U;  // for one read of the kernel's list

constexpr std::array kOfFaultTime{BpfPart::FaultParts, BpfPart::FaultEfforts};  // both need FaultTime
constexpr std::array kTeardownFunctions{"tlb_gather_mmu", "tlb_gather_mmu_fullmm", "tlb_finish_mmu"};

}  // namespace

struct BpfPrograms::State {
  BpfObject object;
  BpfShared<Shared> shared;
  ProcessorDurations durations;
  std::vector<BpfLink> links;
  BpfRing ring;
  std::vector<int> faultEvents;  // each belongs to a link
  int sweepLink = -1;
  std::uint32_t attention = 0;
  std::vector<std::byte> records;
  const std::function<void(const ProcessRecord&)>* visitExit = nullptr;
};

Result<std::unique_ptr<BpfPrograms>, Unavailable> BpfPrograms::load(bool faultTime, const Unavailable& noSlot) {
  libbpf_set_print(nullptr);
  const BpfKernel kernel;
  if (!kernel.trouble().empty())
    return tl::unexpected(Unavailable{.why = kernel.trouble(), .enable = "A kernel with CONFIG_DEBUG_INFO_BTF."});

  std::unique_ptr<BpfPrograms> programs;
  tryFaultWays(kernel, kFaultWays, [&](const MaybeFaultTiming& timing) -> Unavailable* {
    programs.reset(new BpfPrograms(makeHidden<State>()));
    if (!faultTime)
      at(programs->m_reasons, BpfPart::FaultTime) = {
          .why = "Time inside faults was switched off when the collector was started",
          .enable = "Start it without --no-fault-time."};
    if (!noSlot.why.empty())
      for (const BpfPart part : {BpfPart::Zeroing, BpfPart::FaultTime, BpfPart::Freeing, BpfPart::Teardown})
        at(programs->m_reasons, part) = noSlot;
    programs->loadWith(kernel, timing);
    const bool settled =
        !faultTime || !noSlot.why.empty() || programs->works(BpfPart::FaultTime) || !programs->works(BpfPart::Sweep);
    return settled ? nullptr : &at(programs->m_reasons, BpfPart::FaultTime);
  });
  malloc_trim(0);  // BTF took about 10 MB
  if (!programs->works(BpfPart::Sweep)) return tl::unexpected(programs->reason(BpfPart::Sweep));
  programs->excuseParts();
  return programs;
}

void BpfPrograms::loadWith(const BpfKernel& kernel, const MaybeFaultTiming& timing) {
  m_sparesClearing = kernel.sparesClearing();
  if (timing) m_timing = *timing;
  else if (works(BpfPart::FaultTime)) at(m_reasons, BpfPart::FaultTime) = timing.error();
  excuseParts();
  for (const char* const function : kTeardownFunctions)
    if (m_whyNotByFunction.why.empty()) m_whyNotByFunction = kernel.whyNotAt(function);
  m_teardownWay = m_whyNotByFunction.why.empty() ? TeardownWay::Function : TeardownWay::Lock;
  const auto ownMemory = kernel.ownMemoryFlag();
  if (!ownMemory && works(BpfPart::Freeing)) at(m_reasons, BpfPart::Freeing).why = kNoOwnMemory;
  const BpfPlan plan{.settings = {.gfp = kernel.gfpFlags(),
                                  .calls = kMemoryCalls,
                                  .calls32 = kMemoryCalls32,
                                  .ownMemory = ownMemory.value_or(0),
                                  .countsFreed = 0,
                                  .awaitsTeardown = 0,
                                  .faultsBeginAtEntry = m_timing.entry ? 1U : 0U,
                                  .splitsFaults = 0,
                                  .tellsState = kernel.argumentsOf("sched_switch") > 3 ? 1U : 0U},
                     .way = m_timing.way,
                     .teardown = m_teardownWay};
  for (const BpfProgram& program : kBpfPrograms) {
    if (program.tracepoint != nullptr && program.part != BpfPart::FaultTime && works(program.part) &&
        plan.takes(program) && !kernel.hasTracepoint(program.tracepoint))
      at(m_reasons, program.part) = noTracepoint(program.tracepoint);
  }
  BpfParts wanted{};
  std::ranges::transform(m_reasons, wanted.begin(), [](const Unavailable& reason) { return reason.why.empty(); });
  m_state->object = loadMost(plan, wanted, m_reasons);
  if (!works(BpfPart::Sweep)) return;
  m_state->shared = mapBpfShared<Shared>(m_state->object);
  if (!m_state->shared) {
    at(m_reasons, BpfPart::Sweep) = refusedByKernel("share memory with BPF programs", errno);
    return;
  }
  m_state->durations = ProcessorDurations(m_state->object);
  for (const BpfPart part : {BpfPart::Sweep, BpfPart::ExitMemory, BpfPart::Exits, BpfPart::Zeroing, BpfPart::Freeing,
                             BpfPart::Reclaim, BpfPart::Teardown, BpfPart::FaultTime})
    if (works(part)) attach(part);
  for (const BpfPart part : kOfFaultTime)
    if (works(BpfPart::FaultTime) && works(part)) attach(part);
}

void BpfPrograms::excuseParts() {
  for (const BpfPart part : kOfFaultTime)
    if (!works(BpfPart::FaultTime)) at(m_reasons, part) = reason(BpfPart::FaultTime);
}

// A kernel may accept a program and never run it.
bool BpfPrograms::seesAFault() {
  measureFaults(true);
  makeFault();
  measureFaults(false);
  return __atomic_load_n(&m_state->shared->timed, __ATOMIC_RELAXED) != 0;
}

bool BpfPrograms::seesASwitch() {
  measureFaults(true);
  makeSwitch(m_state->shared->switched);
  measureFaults(false);
  return __atomic_load_n(&m_state->shared->switched, __ATOMIC_RELAXED) != 0;
}

bool BpfPrograms::seesATeardown() {
  makeFault();  // and gives the page back
  return __atomic_load_n(&m_state->shared->tornDown, __ATOMIC_RELAXED) != 0;
}

// Others may give memory back in the same moment, but not each time.
bool BpfPrograms::seesADiscard() {
  constexpr int kTries = 5;
  const auto bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  void* const page = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return true;
  bool seen = true;
  for (int i = 0; i < kTries && seen; ++i) {
    *static_cast<volatile char*>(page) = 1;
    __atomic_store_n(&m_state->shared->tornDown, 0U, __ATOMIC_RELAXED);
    madvise(page, bytes, MADV_DONTNEED);
    seen = __atomic_load_n(&m_state->shared->tornDown, __ATOMIC_RELAXED) != 0;
  }
  munmap(page, bytes);
  return seen;
}

void BpfPrograms::attach(BpfPart part) {
  const std::size_t linksBefore = m_state->links.size();
  int error = attachPrograms(part);
  if (part == BpfPart::Sweep && error == 0) m_state->sweepLink = bpf_link__fd(m_state->links.back().get());
  if (part == BpfPart::Exits && error == 0) {
    const auto visit = [](void* state, void* data, std::size_t) {
      (*static_cast<State*>(state)->visitExit)(*static_cast<const ProcessRecord*>(data));
      return 0;
    };
    const int map = bpf_object__find_map_fd_by_name(m_state->object.get(), "exits");
    m_state->ring.reset(ring_buffer__new(map, visit, m_state.get(), nullptr));
    if (m_state->ring) m_exitsFile = map;
    else error = errno;
  }
  Unavailable reason;
  if (error != 0 && part == BpfPart::FaultTime && m_timing.way == FaultWay::Event)
    reason = refusedEvent("count page faults", error);
  else if (error != 0) reason = refusedByKernel("attach the BPF program for it", error);
  else if (part == BpfPart::FaultTime && !seesAFault()) reason = noFaultSeen();
  else if (part == BpfPart::FaultParts && !seesASwitch()) reason = noFaultSeen();
  else if (part == BpfPart::Teardown && !seesATeardown()) reason = noFaultSeen();
  else if (part == BpfPart::Teardown) m_timesDiscards = seesADiscard();
  if (reason.why.empty()) return;
  if (part == BpfPart::FaultTime) m_state->faultEvents.clear();
  m_state->links.resize(linksBefore);  // half a part has a cost but no result
  at(m_reasons, part) = std::move(reason);
}

int BpfPrograms::attachPrograms(BpfPart part) {
  State& state = *m_state;
  for (const BpfProgram& program : kBpfPrograms) {
    const bpf_program* const found = bpf_object__find_program_by_name(state.object.get(), program.name);
    if (program.part != part || program.way == FaultWay::Event || !bpf_program__autoload(found)) continue;
    if (const int error = attachBpf(state.object, program.name, state.links); error != 0) return error;
  }
  if (part != BpfPart::FaultTime || m_timing.way != FaultWay::Event) return 0;
  const int error =
      attachBpfToFaults(state.object, "endMinorFault", PERF_COUNT_SW_PAGE_FAULTS_MIN, state.links, state.faultEvents);
  if (error != 0) return error;
  return attachBpfToFaults(state.object, "endMajorFault", PERF_COUNT_SW_PAGE_FAULTS_MAJ, state.links,
                           state.faultEvents);
}

// Enables ends before beginnings and numbers each period, so that a beginning without an end does not count as that of
// a fault in a later period.
void BpfPrograms::measureFaults(bool measure) {
  if (!works(BpfPart::FaultTime)) return;
  auto* const attention = &m_state->shared->attention;
  if (!measure) __atomic_store_n(attention, 0, __ATOMIC_RELAXED);
  for (const int event : m_state->faultEvents)
    ioctl(event, measure ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0);
  if (measure) __atomic_store_n(attention, ++m_state->attention, __ATOMIC_RELAXED);
}

bool BpfPrograms::canSweep() const {
  const int file = bpf_iter_create(m_state->sweepLink);
  if (file >= 0) close(file);
  return file >= 0;
}

Result<std::span<const std::byte>> BpfPrograms::sweep() {
  const int file = bpf_iter_create(m_state->sweepLink);
  if (file < 0) return fail(std::string("The kernel no longer lists its processes: ") + std::strerror(errno) + ".");
  auto& records = m_state->records;
  std::size_t size = 0;
  ssize_t count = 0;
  do {
    if (records.size() - size < kLeastRoom) records.resize(size + kLeastRoom);
    count = read(file, records.data() + size, records.size() - size);
    if (count > 0) size += static_cast<std::size_t>(count);
  } while (count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR)));
  const int error = errno;
  close(file);
  if (count < 0) return fail(std::string("The kernel's list of processes ended early: ") + std::strerror(error) + ".");
  return std::span<const std::byte>(records.data(), size);
}

void BpfPrograms::forEachExit(const std::function<void(const ProcessRecord&)>& visit) {
  if (!m_state->ring) return;
  m_state->visitExit = &visit;
  ring_buffer__consume(m_state->ring.get());
}

std::optional<FaultDurations> BpfPrograms::faultDurations() const {
  return m_state->durations.read();
}

std::span<const EndedSum, kEndedSums> BpfPrograms::endedSums() const {
  return m_state->shared->ended;
}

std::optional<std::uint64_t> BpfPrograms::skippedRuns() const {
  return faultline::skippedRuns(m_state->object);
}

std::uint64_t BpfPrograms::lostExits() const {
  return __atomic_load_n(&m_state->shared->lostExits, __ATOMIC_RELAXED);
}

}  // namespace faultline
