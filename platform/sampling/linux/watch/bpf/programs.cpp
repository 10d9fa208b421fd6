#include "platform/sampling/linux/watch/bpf/programs.h"

#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <span>
#include <utility>

#include "platform/sampling/clock.h"
#include "platform/sampling/linux/bpf/kernel.h"
#include "platform/sampling/linux/bpf/memory_call_numbers.h"
#include "platform/sampling/linux/watch/bpf/image.h"
#include "platform/sampling/linux/watch/bpf/object.h"
#include "platform/sampling/linux/watch/bpf/probes.h"
#include "platform/sampling/linux/watch/bpf/thread_faults.h"
#include "platform/sampling/records/watch_values.h"

namespace faultline {
namespace {

// A game may write without end: one turn takes as much as finds room in the rings.
constexpr std::size_t kMostMarksAtOnce = 16384;
constexpr std::size_t kMostSamplesAtOnce = kEveryRoom / (sizeof(SampleRecord) - kStackBytes);
constexpr std::size_t kMostStackBytes = kEveryRoom;
constexpr int kEnough = -1;
constexpr Nanoseconds kDelayGoesOn = std::chrono::seconds(1);  // without the collector's turn
constexpr std::uint64_t kTurnsPerLook = 25;                    // 250 ms: a look takes a system call for each program

Unavailable bothOf(const Unavailable& one, const Unavailable& other) {
  if (one.why == other.why) return one;
  const bool two = !one.enable.empty() && !other.enable.empty();
  return {.why = one.why + ". " + other.why, .enable = one.enable + (two ? " Or: " : "") + other.enable};
}

std::uint32_t sampling(const WatchOptions& options) {
  switch (options.samples) {
    case SampleMode::None:
      return kSampleNone;
    case SampleMode::Spikes:
      return kSampleSpikes;
    case SampleMode::Some:
      return kSampleSome;
    case SampleMode::All:
      return options.stacks ? kSampleAll : kSampleBare;
  }
  return kSampleNone;
}

}  // namespace

struct BpfWatch::State {
  State(const Unavailable& noSlot, const Unavailable& noDelay) : object(noSlot, noDelay) {}

  WatchObject object;
  std::unique_ptr<Probes> probes;
  BpfRing rings;
  WatchMeasures measures;
  std::vector<BpfMark>* marks = nullptr;  // take the contents of the rings
  FaultSampleBatch* samples = nullptr;
  std::size_t mostMarks = 0;
  std::size_t mostSamples = 0;
  std::size_t stackBytes = 0;  // of the samples that this turn has taken
  std::uint64_t turns = 0;
  std::uint64_t slot = 0;                                             // of the last mark, if slots are marks
  std::array<std::optional<std::uint64_t>, kMostMarks> faultsAtMark;  // of the process
  bool skips = false;
};

Result<std::unique_ptr<BpfWatch>, Unavailable> BpfWatch::open(const WatchTarget& target,
                                                              const std::vector<ProbeFile>& places,
                                                              const BpfWatchOptions& options) {
  libbpf_set_print(nullptr);
  const BpfKernel kernel;
  if (!kernel.trouble().empty())
    return tl::unexpected(Unavailable{.why = kernel.trouble(), .enable = "A kernel with CONFIG_DEBUG_INFO_BTF."});
  const auto images = ImageReader::load();
  if (!images) return tl::unexpected(images.error());
  const auto image = images->read(target);
  if (!image) return tl::unexpected(image.error());
  std::optional<Unavailable> trouble;
  for (const MarkWay way : waysTo(places, options.ownMarks)) {
    Unavailable obstacle = way == MarkWay::Probe ? whyNoProbe(target) : Unavailable();
    auto watch = obstacle.why.empty() ? openBy(way, target, places, options, kernel, *image)
                                      : Result<std::unique_ptr<BpfWatch>, Unavailable>(tl::unexpected(obstacle));
    if (watch && !images->isStill(target, *image)) trouble = gameHasLeft();
    else if (watch) return watch;
    else trouble = trouble ? bothOf(*trouble, watch.error()) : watch.error();
  }
  return tl::unexpected(std::move(*trouble));
}

Result<std::unique_ptr<BpfWatch>, Unavailable> BpfWatch::openBy(MarkWay markWay, const WatchTarget& target,
                                                                const std::vector<ProbeFile>& places,
                                                                const BpfWatchOptions& options, const BpfKernel& kernel,
                                                                const ProgramImage& image) {
  // A mark without a number is identified by the thread's id in the game's own namespace.
  const PidNamespace pids = markWay == MarkWay::Getrusage ? target.pidNamespace() : ownPidNamespace();
  WatchSettings settings{.samples = sampling(options.watch),
                         .sampleEvery = kSampleEvery,
                         .sampleAfter = static_cast<std::uint64_t>(options.watch.sampleAfter.count()),
                         .pidNamespaceDevice = pids.device,
                         .pidNamespaceInode = pids.inode,
                         .ownMarks = options.ownMarks ? 1U : 0U,
                         .faultsBeginAtEntry = 0,
                         .splitsFaults = 0,
                         .followsPath = 0,
                         .tellsState = 0,
                         .markWay = static_cast<unsigned>(markWay),
                         .commits = 0,
                         .lookups = markWay == MarkWay::Probe && holdsLookups(places) ? 1U : 0U,
                         .breakpoints = {},
                         .slot = static_cast<std::uint64_t>(options.slot.count()),
                         .gfp = kernel.gfpFlags(),
                         .calls = kMemoryCalls,
                         .calls32 = kMemoryCalls32,
                         .countsFreed = 0,
                         .ownMemory = kernel.ownMemoryFlag().value_or(0),
                         .delay = static_cast<std::uint64_t>(options.watch.delay.count()),
                         .game = image};
  if (markWay == MarkWay::Breakpoint) nameBreakpoints(places, settings);
  std::unique_ptr<BpfWatch> watch;
  std::optional<Unavailable> trouble;
  const std::size_t barred =
      options.watch.noSlot.why.empty() ? 0 : 1;  // a program at the function sees all processes' faults
  tryFaultWays(kernel, std::span(kFaultWays).subspan(barred), [&](const MaybeFaultTiming& timing) -> Unavailable* {
    watch.reset(new BpfWatch(makeHidden<State>(options.watch.noSlot, options.watch.noDelay)));
    watch->m_way = markWay;
    watch->m_state->probes = std::make_unique<Probes>(options.watch.limitStandstill);
    WatchObject& object = watch->m_state->object;
    trouble = object.load(timing, kernel, settings, target.folder());
    return trouble || object.abilities().works(WatchPart::Ends) ? nullptr : &object.abilities().reason(WatchPart::Ends);
  });
  if (!trouble) trouble = watch->start(target, places);
  malloc_trim(0);  // BTF took about 10 MB
  if (trouble) return tl::unexpected(std::move(*trouble));
  return watch;
}

bool BpfWatch::readRings() {
  State& state = *m_state;
  state.rings.reset(ring_buffer__new(state.object.map("marks"), takeMark, &state, nullptr));
  return state.rings && ring_buffer__add(state.rings.get(), state.object.map("samples"), takeSample, &state) == 0;
}

int BpfWatch::takeMark(void* state, void* record, std::size_t /*size*/) {
  auto& self = *static_cast<State*>(state);
  const auto& mark = *static_cast<const MarkRecord*>(record);
  self.faultsAtMark.at(mark.mark) = mark.process.minorFaults + mark.process.majorFaults;
  self.slot = mark.number;
  self.marks->push_back({.place = mark.mark, .frame = frameMarkOf(mark, self.measures)});
  return self.marks->size() < self.mostMarks ? 0 : kEnough;
}

int BpfWatch::takeSample(void* state, void* record, std::size_t /*size*/) {
  auto& self = *static_cast<State*>(state);
  auto& samples = self.samples->samples;
  samples.push_back(faultSampleOf(*static_cast<const SampleRecord*>(record)));
  self.stackBytes += samples.back().stack.size();
  return samples.size() < self.mostSamples && self.stackBytes < kMostStackBytes ? 0 : kEnough;
}

// Attaches the probes last, so that everything is counted from the first mark on.
std::optional<Unavailable> BpfWatch::start(const WatchTarget& target, const std::vector<ProbeFile>& places) {
  if (!readRings()) return refusedByKernel("share memory with BPF programs", errno);
  if (const int error = m_state->object.attachToTracepoints(); error != 0)
    return refusedByKernel("attach the BPF programs", error);
  m_abilities = m_state->object.abilities();
  m_state->measures.pageBytes = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  for (const auto& [part, group] : kWatchPartNumbers)
    if (m_abilities.works(part)) m_state->measures.groups.push_back(group);
  return listenForMarks(target, places);
}

std::optional<Unavailable> BpfWatch::listenForMarks(const WatchTarget& target, const std::vector<ProbeFile>& places) {
  if (m_way == MarkWay::Slot) return std::nullopt;
  if (m_way == MarkWay::Probe) {
    const WatchObject& object = m_state->object;
    const ProbePrograms programs{.mark = object.program("mark"),
                                 .beginLookup = object.program("beginLookup"),
                                 .endLookup = object.program("endLookup")};
    return m_state->probes->place(programs, target, places, [&] { return target.exited() || programLeft(); });
  }
  if (m_way == MarkWay::Breakpoint) return setBreakpoints(target.folder(), places);
  const int error = m_state->object.attach("markAtGetrusage");
  if (error == 0) return std::nullopt;
  return refusedByKernel("report the game's calls of getrusage()", error);
}

// Watches as many functions as there are breakpoints. The breakpoints end with this object.
std::optional<Unavailable> BpfWatch::setBreakpoints(const ProcessFolder& folder, const std::vector<ProbeFile>& places) {
  const int program = m_state->object.program("markAtBreakpoint");
  int error = 0;
  for (std::size_t count = std::min<std::size_t>(places.size(), kMostBreakpoints); count > 0; --count) {
    std::vector<FaultProgram> programs;
    for (std::size_t i = 0; i < count; ++i)
      programs.push_back({.program = program, .kind = 0, .address = places[i].address()});
    std::vector<PerfEvent> events;
    error = attachBpfToThreads(folder, programs, events);
    if (error == ESRCH) return gameHasLeft();
    if (error == 0) {
      m_state->object.keep(std::move(events));
      return std::nullopt;
    }
    if (error != ENOSPC) break;
  }
  if (error == ENOSPC)
    return Unavailable{.why = "Another program, such as a debugger, uses the game's hardware breakpoints",
                       .enable = {}};
  return refusedEvent("set hardware breakpoints in the game", error, EventOf::OwnProgram);
}

void BpfWatch::collect(std::vector<BpfMark>& marks, FaultSampleBatch& samples) {
  const auto before = static_cast<std::ptrdiff_t>(marks.size());
  m_state->marks = &marks;
  m_state->samples = &samples;
  m_state->mostMarks = marks.size() + kMostMarksAtOnce;
  m_state->mostSamples = samples.samples.size() + kMostSamplesAtOnce;
  m_state->stackBytes = 0;
  m_state->probes->goOn();
  const auto until = static_cast<std::uint64_t>((systemClock().now() + kDelayGoesOn).sinceEpoch.count());
  __atomic_store_n(&m_state->object.shared().delay.until, until, __ATOMIC_RELAXED);
  ring_buffer__consume(m_state->rings.get());
  samples.lost = __atomic_load_n(&m_state->object.shared().lostSamples, __ATOMIC_RELAXED);
  std::ranges::sort(marks.begin() + before, marks.end(), {},
                    [](const BpfMark& mark) { return std::pair(mark.frame.time, mark.frame.number); });
}

void BpfWatch::choose(std::size_t mark) {
  __atomic_store_n(&m_state->object.shared().chosen, static_cast<std::uint32_t>(mark) + 1, __ATOMIC_RELAXED);
}

std::optional<std::uint64_t> BpfWatch::faultsAfterMark() const {
  const WatchShared& shared = m_state->object.shared();
  if (shared.chosen == 0 || shared.chosen > kMostMarks || !m_state->faultsAtMark[shared.chosen - 1])
    return std::nullopt;
  return __atomic_load_n(&shared.process.minorFaults, __ATOMIC_RELAXED) +
         __atomic_load_n(&shared.process.majorFaults, __ATOMIC_RELAXED) - *m_state->faultsAtMark[shared.chosen - 1];
}

std::uint64_t BpfWatch::handedOut() const {
  return __atomic_load_n(&m_state->object.shared().handedOut, __ATOMIC_RELAXED);
}

MonotonicTime BpfWatch::beginSlots() {
  const MonotonicTime now = systemClock().now();
  __atomic_store_n(&m_state->object.shared().began, static_cast<std::uint64_t>(now.sinceEpoch.count()),
                   __ATOMIC_RELEASE);
  return now;
}

std::optional<FrameMark> BpfWatch::present() const {
  const WatchShared& shared = m_state->object.shared();
  MarkRecord sums{};
  sums.number = m_state->slot;
  sums.process = shared.process;
  sums.parts = shared.parts;
  sums.teardown = shared.teardown;
  if (__atomic_load_n(&shared.slot, __ATOMIC_ACQUIRE) != m_state->slot) return std::nullopt;
  return frameMarkOf(sums, m_state->measures);
}

bool BpfWatch::beginsToSkip() {
  State& state = *m_state;
  if (state.skips || ++state.turns % kTurnsPerLook != 0) return false;
  state.skips = state.object.skippedRuns() > 0;
  return state.skips;
}

bool BpfWatch::programLeft() const {
  return __atomic_load_n(&m_state->object.shared().left, __ATOMIC_ACQUIRE) != 0;
}

std::optional<BpfWatch::Counts> BpfWatch::faultsAtExec() const {
  const WatchShared& shared = m_state->object.shared();
  if (!programLeft() || shared.executed == 0) return std::nullopt;
  return Counts{.minor = shared.minorFaultsAtExec, .major = shared.majorFaultsAtExec};
}

}  // namespace faultline
