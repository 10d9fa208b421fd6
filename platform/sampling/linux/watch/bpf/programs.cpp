#include "platform/sampling/linux/watch/bpf/programs.h"

#include <bpf/bpf.h>
#include <linux/perf_event.h>
#include <malloc.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <utility>

#include "core/stream/fault_samples_codec.h"
#include "platform/sampling/linux/bpf/handles.h"
#include "platform/sampling/linux/bpf/kernel.h"
#include "platform/sampling/linux/watch/bpf/image.h"
#include "platform/sampling/linux/watch/bpf/probes.h"
#include "platform/sampling/linux/watch/bpf/thread_faults.h"
#include "platform/sampling/records/watch_values.h"
#include "platform/sampling/timing_slot.h"

namespace faultline {
namespace {

constexpr std::size_t kMostAtOnce = 16384;  // marks; what a game goes on writing has no end
constexpr int kEnough = -1;
constexpr std::uint32_t kSampleRoom = std::uint32_t{8} << 20U;

struct Program {
  const char* name;
  WatchPart part;
  const char* tracepoint = nullptr;
  std::optional<FaultWay> way = {};  // nothing: whichever it is
};
constexpr std::array<Program, 12> kPrograms{{
    {"mark", WatchPart::Marks},
    {"markAtBreakpoint", WatchPart::Marks},
    {"markAtGetrusage", WatchPart::Marks},
    {"endThread", WatchPart::Marks, "sched_process_exit"},
    {"leaveProgram", WatchPart::Marks, "sched_process_exec"},
    {"beginUserFault", WatchPart::Beginnings, "page_fault_user"},
    {"beginKernelFault", WatchPart::Beginnings, "page_fault_kernel"},
    {"countZeroed", WatchPart::Zeroing, "mm_page_alloc"},
    {"enterFault", WatchPart::Ends, nullptr, FaultWay::Function},
    {"leaveFault", WatchPart::Ends, nullptr, FaultWay::Function},
    {"endMinorFault", WatchPart::Ends, nullptr, FaultWay::Event},
    {"endMajorFault", WatchPart::Ends, nullptr, FaultWay::Event},
}};

Obstacle bothOf(const Obstacle& one, const Obstacle& other) {
  if (one.why == other.why) return one;
  const bool two = !one.enable.empty() && !other.enable.empty();
  return {.why = one.why + ". " + other.why, .enable = one.enable + (two ? " Or: " : "") + other.enable};
}

using Parts = std::array<bool, kWatchPartCount>;
bool& at(Parts& parts, WatchPart part) {
  return parts[static_cast<std::size_t>(part)];
}

// Whether, where faults end that way, this program has a part in it.
bool takes(FaultTiming timing, const Program& program) {
  if (program.way) return *program.way == timing.way;
  return program.part != WatchPart::Beginnings || !timing.entry;
}

// Loads those parts; nothing and errno if one of their programs is refused.
BpfObject loadParts(WatchSettings settings, FaultTiming timing, Parts parts) {
  BpfObject object = openBpfObject(kWatchBpfBytes);
  if (!object) return object;
  if (!at(parts, WatchPart::Samples)) settings.samples = kSampleNone;
  const auto map = [&](const char* name) { return bpf_object__find_map_by_name(object.get(), name); };
  bpf_map__set_initial_value(map(".rodata"), &settings, sizeof settings);
  if (settings.samples != kSampleNone) bpf_map__set_max_entries(map("samples"), kSampleRoom);
  for (const Program& program : kPrograms) {
    bpf_program* const found = bpf_object__find_program_by_name(object.get(), program.name);
    const bool wanted = at(parts, program.part) && takes(timing, program) && isWanted(program.name, settings);
    bpf_program__set_autoload(found, wanted);
    if (program.name == std::string_view("mark"))
      bpf_program__set_expected_attach_type(found, static_cast<bpf_attach_type>(kTraceUprobeMulti));
  }
  return loadBpfObject(std::move(object));
}

std::uint32_t sampling(SampleMode mode) {
  switch (mode) {
    case SampleMode::None:
      return kSampleNone;
    case SampleMode::Spikes:
      return kSampleSpikes;
    case SampleMode::Some:
      return kSampleSome;
    case SampleMode::All:
      return kSampleAll;
  }
  return kSampleNone;
}

}  // namespace

struct BpfWatch::State {
  BpfObject object;
  BpfShared<WatchShared> shared;
  std::vector<BpfLink> links;
  std::vector<PerfEvent> faults;
  std::unique_ptr<Probes> probes;
  BpfRing rings;
  WatchMeasures measures;
  std::string noSlot;
  std::vector<BpfMark>* marks = nullptr;  // where the rings' contents go
  FaultSampleBatch* samples = nullptr;
  std::size_t mostMarks = 0;
  std::size_t mostSamples = 0;
};

BpfWatch::BpfWatch(std::unique_ptr<State> state) : m_state(std::move(state)) {}
BpfWatch::~BpfWatch() = default;

tl::expected<std::unique_ptr<BpfWatch>, Obstacle> BpfWatch::open(const WatchTarget& target,
                                                                 const std::vector<ProbeFile>& places,
                                                                 const BpfWatchOptions& options) {
  libbpf_set_print(nullptr);
  const BpfKernel kernel;
  if (!kernel.trouble().empty())
    return tl::unexpected(Obstacle{.why = kernel.trouble(), .enable = "A kernel with CONFIG_DEBUG_INFO_BTF."});
  const auto images = ImageReader::load();
  if (!images) return tl::unexpected(images.error());
  const auto image = images->read(target);
  if (!image) return tl::unexpected(image.error());
  std::optional<Obstacle> trouble;
  for (const MarkWay way : waysTo(places, options.ownMarks)) {
    auto watch = openBy(way, target, places, options, kernel, *image);
    if (watch && !images->isStill(target, *image)) trouble = gameHasLeft();
    else if (watch) return watch;
    else trouble = trouble ? bothOf(*trouble, watch.error()) : watch.error();
  }
  return tl::unexpected(std::move(*trouble));
}

tl::expected<std::unique_ptr<BpfWatch>, Obstacle> BpfWatch::openBy(MarkWay markWay, const WatchTarget& target,
                                                                   const std::vector<ProbeFile>& places,
                                                                   const BpfWatchOptions& options,
                                                                   const BpfKernel& kernel, const ProgramImage& image) {
  struct stat pidNamespace{};  // zeros: as if the game were in another
  // A mark that is not numbered is known by the game's own name of its thread.
  if (markWay == MarkWay::Getrusage) static_cast<void>(fstatat(target.folder(), "ns/pid", &pidNamespace, 0));
  else static_cast<void>(stat("/proc/self/ns/pid", &pidNamespace));
  WatchSettings settings{.samples = sampling(options.samples),
                         .sampleEvery = kSampleEvery,
                         .sampleAfter = static_cast<std::uint64_t>(options.sampleAfter.count()),
                         .pidNamespaceDevice = pidNamespace.st_dev,
                         .pidNamespaceInode = pidNamespace.st_ino,
                         .ownMarks = options.ownMarks ? 1U : 0U,
                         .faultsBeginAtEntry = 0,
                         .markWay = static_cast<unsigned>(markWay),
                         .commits = 0,
                         .breakpoints = {},
                         .gfp = kernel.gfpFlags(),
                         .game = image};
  if (markWay == MarkWay::Breakpoint) nameBreakpoints(places, settings);
  std::unique_ptr<BpfWatch> watch;
  std::optional<Obstacle> trouble;
  std::string others;
  for (const FaultWay way : {FaultWay::Function, FaultWay::Event}) {
    const auto timing = kernel.faultTiming(way);
    if (!timing && way == FaultWay::Function) {
      others = "; nor by handle_mm_fault: " + timing.error().why;
      continue;
    }
    if (!options.noSlot.empty() && way == FaultWay::Function) continue;  // that is at everybody's faults
    watch.reset(new BpfWatch(std::make_unique<State>()));
    watch->m_way = markWay;
    watch->m_state->noSlot = options.noSlot;
    watch->m_state->probes = std::make_unique<Probes>(options.limitStandstill);
    trouble = watch->load(timing, kernel, settings, target.folder());
    if (trouble || watch->works(WatchPart::Ends)) break;
    Obstacle& ends = watch->m_obstacles[static_cast<std::size_t>(WatchPart::Ends)];
    ends.why += others;
    others = "; nor by handle_mm_fault: " + ends.why;
  }
  if (!trouble) trouble = watch->start(target, places);
  malloc_trim(0);  // the kernel's types took some 10 MB
  if (trouble) return tl::unexpected(std::move(*trouble));
  return watch;
}

std::optional<Obstacle> BpfWatch::load(const MaybeFaultTiming& timing, const BpfKernel& kernel, WatchSettings settings,
                                       int folder) {
  const auto obstacle = [&](WatchPart part) -> Obstacle& { return m_obstacles[static_cast<std::size_t>(part)]; };
  m_sparesClearing = kernel.sparesClearing();
  if (timing) m_timing = *timing;
  else obstacle(WatchPart::Ends) = timing.error();
  settings.faultsBeginAtEntry = m_timing.entry ? 1U : 0U;
  for (const Program& program : kPrograms)
    if (program.tracepoint != nullptr && takes(m_timing, program) && !kernel.hasTracepoint(program.tracepoint))
      obstacle(program.part) = noTracepoint(program.tracepoint);
  if (!m_state->noSlot.empty())
    for (const WatchPart part : {WatchPart::Beginnings, WatchPart::Zeroing})
      obstacle(part) = {.why = m_state->noSlot, .enable = kEndAnother};
  if (settings.samples == kSampleNone) obstacle(WatchPart::Samples).why = "Nobody asked for single faults";
  auto trouble = loadMost(settings);
  if (trouble) return trouble;
  if (!shareMemory()) return refusedByKernel("share memory with BPF programs", errno);
  if (works(WatchPart::Ends)) obstacle(WatchPart::Ends) = attachToEnds(folder);
  for (const WatchPart part : {WatchPart::FaultTime, WatchPart::Samples})
    for (const WatchPart needed : {WatchPart::Beginnings, WatchPart::Ends})
      if (works(part)) obstacle(part) = obstacle(needed);
  return std::nullopt;
}

// A program that this kernel refuses takes all others with it, and nobody says which it was: each is tried alone.
std::optional<Obstacle> BpfWatch::loadMost(WatchSettings settings) {
  Parts wanted{};
  std::ranges::transform(m_obstacles, wanted.begin(), [](const Obstacle& obstacle) { return obstacle.why.empty(); });
  m_state->object = loadParts(settings, m_timing, wanted);
  if (m_state->object) return std::nullopt;
  Parts most{};
  at(most, WatchPart::Marks) = true;
  for (const WatchPart part : {WatchPart::Beginnings, WatchPart::Ends, WatchPart::Zeroing, WatchPart::Samples}) {
    if (!at(wanted, part)) continue;
    Parts more = most;
    at(more, part) = true;
    if (loadParts(settings, m_timing, more)) most = more;
    else m_obstacles[static_cast<std::size_t>(part)] = refusedByKernel("load the BPF program for it", errno);
  }
  m_state->object = loadParts(settings, m_timing, most);
  if (m_state->object) return std::nullopt;
  return refusedByKernel("load BPF programs", errno);
}

bool BpfWatch::shareMemory() {
  State& state = *m_state;
  const auto map = [&](const char* name) { return bpf_object__find_map_fd_by_name(state.object.get(), name); };
  state.shared = mapBpfShared<WatchShared>(state.object);
  state.rings.reset(ring_buffer__new(map("marks"), takeMark, &state, nullptr));
  return state.shared && state.rings && ring_buffer__add(state.rings.get(), map("samples"), takeSample, &state) == 0;
}

int BpfWatch::takeMark(void* state, void* record, std::size_t /*size*/) {
  const auto& self = *static_cast<State*>(state);
  const auto& mark = *static_cast<const MarkRecord*>(record);
  self.marks->push_back({.place = mark.mark, .frame = frameMarkOf(mark, self.measures)});
  return self.marks->size() < self.mostMarks ? 0 : kEnough;
}

int BpfWatch::takeSample(void* state, void* record, std::size_t /*size*/) {
  const auto& self = *static_cast<State*>(state);
  auto& samples = self.samples->samples;
  samples.push_back(faultSampleOf(*static_cast<const SampleRecord*>(record)));
  return samples.size() < self.mostSamples ? 0 : kEnough;
}

Obstacle BpfWatch::attachToEnds(int folder) {
  if (m_timing.way == FaultWay::Event) {
    const int error = attachToEvents(folder);
    if (error == ESRCH) return gameHasLeft();
    return error == 0 ? Obstacle{} : refusedEvent("tell when page faults end", error);
  }
  for (const char* const program : {"enterFault", "leaveFault"})
    if (const int error = attachBpf(m_state->object, program, m_state->links); error != 0)
      return refusedByKernel("attach the BPF program for it", error);
  makeFault();
  return __atomic_load_n(&m_state->shared->endsSeen, __ATOMIC_RELAXED) != 0 ? Obstacle{} : noFaultSeen();
}

// Of a game that always has new threads, everybody's faults are looked at; the programs pass over all but its own.
int BpfWatch::attachToEvents(int folder) {
  State& state = *m_state;
  const auto program = [&](const char* name) {
    return bpf_program__fd(bpf_object__find_program_by_name(state.object.get(), name));
  };
  const std::array programs{FaultProgram{.program = program("endMinorFault"), .kind = PERF_COUNT_SW_PAGE_FAULTS_MIN},
                            FaultProgram{.program = program("endMajorFault"), .kind = PERF_COUNT_SW_PAGE_FAULTS_MAJ}};
  const int refused = attachBpfToThreads(folder, programs, state.faults);
  if (refused != EAGAIN || !state.noSlot.empty()) return refused;
  state.faults.clear();
  std::vector<int> events;
  int error = attachBpfToFaults(state.object, "endMinorFault", PERF_COUNT_SW_PAGE_FAULTS_MIN, state.links, events);
  if (error == 0)
    error = attachBpfToFaults(state.object, "endMajorFault", PERF_COUNT_SW_PAGE_FAULTS_MAJ, state.links, events);
  for (const int event : events) ioctl(event, PERF_EVENT_IOC_ENABLE, 0);
  return error;
}

int BpfWatch::attachToTracepoints() {
  for (const Program& program : kPrograms) {
    if (program.tracepoint == nullptr || !works(program.part) || !takes(m_timing, program)) continue;
    if (const int error = attachBpf(m_state->object, program.name, m_state->links); error != 0) return error;
  }
  return 0;
}

// The probes come last: from the first mark on everything is counted.
std::optional<Obstacle> BpfWatch::start(const WatchTarget& target, const std::vector<ProbeFile>& places) {
  if (const int error = attachToTracepoints(); error != 0) return refusedByKernel("attach the BPF programs", error);
  m_state->measures = {.zeroing = works(WatchPart::Zeroing),
                       .faultTime = works(WatchPart::FaultTime),
                       .pageBytes = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE))};
  return listenForMarks(target, places);
}

std::optional<Obstacle> BpfWatch::listenForMarks(const WatchTarget& target, const std::vector<ProbeFile>& places) {
  if (m_way == MarkWay::Probe) {
    const int program = bpf_program__fd(bpf_object__find_program_by_name(m_state->object.get(), "mark"));
    return m_state->probes->place(program, target, places, [&] { return target.exited() || programLeft(); });
  }
  if (m_way == MarkWay::Breakpoint) return setBreakpoints(target.folder(), places);
  const int error = attachBpf(m_state->object, "markAtGetrusage", m_state->links);
  if (error == 0) return std::nullopt;
  return refusedByKernel("tell when the game counts its own faults", error);
}

// Of as many functions as there are breakpoints for. They are gone with this object, however it ends.
std::optional<Obstacle> BpfWatch::setBreakpoints(int folder, const std::vector<ProbeFile>& places) {
  const int program = bpf_program__fd(bpf_object__find_program_by_name(m_state->object.get(), "markAtBreakpoint"));
  int error = 0;
  for (std::size_t count = std::min<std::size_t>(places.size(), kMostBreakpoints); count > 0; --count) {
    std::vector<FaultProgram> programs;
    for (std::size_t i = 0; i < count; ++i)
      programs.push_back({.program = program, .kind = 0, .address = places[i].address()});
    std::vector<PerfEvent> events;
    error = attachBpfToThreads(folder, programs, events);
    if (error == ESRCH) return gameHasLeft();
    if (error == 0) {
      std::ranges::move(events, std::back_inserter(m_state->faults));
      return std::nullopt;
    }
    if (error != ENOSPC) break;
  }
  if (error == ENOSPC)
    return Obstacle{.why = "Something else, such as a debugger, has taken the game's hardware breakpoints",
                    .enable = {}};
  return refusedEvent("set hardware breakpoints in the game", error, EventOf::OwnProgram);
}

void BpfWatch::collect(std::vector<BpfMark>& marks, FaultSampleBatch& samples) {
  const auto before = static_cast<std::ptrdiff_t>(marks.size());
  m_state->marks = &marks;
  m_state->samples = &samples;
  m_state->mostMarks = marks.size() + kMostAtOnce;
  m_state->mostSamples = samples.samples.size() + wire::kMaxFaultSamples;
  m_state->probes->goOn();
  ring_buffer__consume(m_state->rings.get());
  samples.lost = __atomic_load_n(&m_state->shared->lostSamples, __ATOMIC_RELAXED);
  std::ranges::sort(marks.begin() + before, marks.end(), {},
                    [](const BpfMark& mark) { return std::pair(mark.frame.time, mark.frame.number); });
}

void BpfWatch::choose(std::size_t mark) {
  __atomic_store_n(&m_state->shared->chosen, static_cast<std::uint32_t>(mark) + 1, __ATOMIC_RELAXED);
}

bool BpfWatch::programLeft() const {
  return __atomic_load_n(&m_state->shared->left, __ATOMIC_RELAXED) != 0;
}

}  // namespace faultline
