#include "platform/linux/perf_game_linux.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/hw_breakpoint.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <ctime>
#include <memory>

#include "platform/linux/proc_files_linux.h"

namespace faultline {
namespace {

constexpr std::size_t kMostBytes = std::size_t{1} << 20U;    // of a ring: 32768 faults
constexpr std::size_t kLeastBytes = std::size_t{16} << 10U;  // the rings of calls are as small
constexpr std::uint32_t kStackBytes = 2048;
constexpr int kMostRounds = 50;
constexpr const char* kOtherWays =
    " Let the game call faultline_frame() of faultline_frame.h, or assume a rate, such as --assume 60.";

struct CloseFolder {
  void operator()(DIR* folder) const { closedir(folder); }
};

std::vector<std::uint32_t> threadsOf(int process) {
  std::vector<std::uint32_t> threads;
  const std::unique_ptr<DIR, CloseFolder> folder(
      fdopendir(openat(process, "task", O_RDONLY | O_DIRECTORY | O_CLOEXEC)));
  if (!folder) return threads;
  while (const dirent* entry = readdir(folder.get())) {
    std::uint32_t thread = 0;
    const char* const end = entry->d_name + std::strlen(entry->d_name);
    if (std::from_chars(entry->d_name, end, thread).ptr == end) threads.push_back(thread);
  }
  return threads;
}

tl::unexpected<Error> refused(int error) {
  const std::string reason = std::string(" (") + std::strerror(error) + ").";
  switch (error) {
    case EACCES:
    case EPERM:
      return fail("The kernel does not let this program watch the game" + reason +
                  " Give the collector cap_perfmon, or set kernel.perf_event_paranoid to 2." + kOtherWays);
    case ENOBUFS:
      return fail(std::string("Other programs of this user hold all the memory that is allowed for perf events. Raise "
                              "kernel.perf_event_mlock_kb.") +
                  kOtherWays);
    case ENOSPC:
      return fail(std::string("Something else, such as a debugger, has taken the game's hardware breakpoints.") +
                  kOtherWays);
    case EMFILE:
    case ENFILE:
    case ENOMEM:
      return fail("The game has too many threads to be watched by perf events" + reason + kOtherWays);
    case ESRCH:
      return fail("The game has exited.");
    default:
      return fail("This machine cannot watch a game by perf events and hardware breakpoints" + reason + kOtherWays);
  }
}

bool isWhole(PerfKind kind) {
  return kind == PerfKind::MinorWhole || kind == PerfKind::MajorWhole;
}
bool isMajor(PerfKind kind) {
  return kind == PerfKind::Major || kind == PerfKind::MajorWhole;
}

std::optional<PerfRing>& ringOf(PerfProcessor& processor, PerfKind kind) {
  if (kind == PerfKind::Call) return processor.calls;
  return isWhole(kind) ? processor.whole : processor.faults;
}

}  // namespace

Result<PerfGame> PerfGame::open(const PerfPlan& plan) {
  static_cast<void>(raiseFileLimit());
  PerfGame game(plan);
  if (const auto first = game.openFirst(threadsOf(plan.folder)); !first) return tl::unexpected(first.error());
  if (const auto others = game.openOthers(); !others) return tl::unexpected(others.error());
  return game;
}

PerfGame::PerfGame(const PerfPlan& plan)
    : m_plan(plan),
#ifdef __aarch64__
      m_registers(perfRegistersArm64()),
#else
      m_registers(perfRegistersX86()),
#endif
      m_ringBytes(kMostBytes),
      m_functions(plan.functions.size()) {
}

Result<void> PerfGame::openFirst(const std::vector<std::uint32_t>& threads) {
  int error = ESRCH;
  for (const std::uint32_t thread : threads) {
    do error = tryFirst(thread);
    while (error != 0 && giveWay(error));
    if (error == 0) return {};
    if (error != ESRCH) break;
  }
  return refused(error);
}

// All or nothing; 0, or errno.
int PerfGame::tryFirst(std::uint32_t thread) {
  m_processors.clear();
  m_events.clear();
  m_sources.clear();
  m_faultsOf.clear();
  for (int number = 0; number < static_cast<int>(sysconf(_SC_NPROCESSORS_CONF)); ++number) {
    const auto trial = PerfEvent::open(attributes({}), {.thread = static_cast<int>(thread), .processor = number});
    if (trial) m_processors.push_back({.number = number, .faults = {}, .calls = {}, .whole = {}, .lastFault = {}});
    else if (trial.error() != ENODEV) return trial.error();
  }
  return m_processors.empty() ? ENODEV : openThread(thread);
}

// Whether it is worth another try, with less.
bool PerfGame::giveWay(int error) {
  if (error == EINVAL && m_threadsOnly) m_threadsOnly = false;  // before Linux 5.13
  else if ((error == EACCES || error == EPERM) && m_seesKernel) m_seesKernel = false;
  else if (error == ENOBUFS && m_ringBytes > kLeastBytes) m_ringBytes /= 2;
  else if (error == ENOSPC && m_functions > 1) --m_functions;
  else return false;
  return true;
}

// A thread that was not among those before may have inherited all events, or some, or none: it gets its own, and
// meaning() knows. Once there is no such thread, those to come inherit everything.
Result<void> PerfGame::openOthers() {
  for (int round = 0; round < kMostRounds; ++round) {
    bool news = false;
    for (const std::uint32_t thread : threadsOf(m_plan.folder)) {
      if (m_faultsOf.contains(thread)) continue;
      news = true;
      const int error = openThread(thread);
      if (error == ENOSPC) ++m_deafThreads;
      else if (error != 0 && error != ESRCH) return refused(error);
    }
    if (!news) return {};
  }
  return {};
}

// 0, or errno. What a thread has been given stays its own, also where it ends on the way.
int PerfGame::openThread(std::uint32_t thread) {
  m_faultsOf.insert(thread);
  for (PerfProcessor& processor : m_processors)
    for (const PerfMeaning meaning : faultMeanings())
      if (const int error = openOn(processor, thread, meaning); error != 0) return error;
  for (PerfProcessor& processor : m_processors)
    for (std::size_t function = 0; function < m_functions; ++function)
      if (const int error = openOn(processor, thread, {.kind = PerfKind::Call, .function = function}); error != 0)
        return error;
  m_callsOf.insert(thread);
  return 0;
}

int PerfGame::openOn(PerfProcessor& processor, std::uint32_t thread, PerfMeaning meaning) {
  auto event =
      PerfEvent::open(attributes(meaning), {.thread = static_cast<int>(thread), .processor = processor.number});
  if (!event) return event.error();
  m_sources[event->id()] = {.meaning = meaning, .thread = thread};
  std::optional<PerfRing>& ring = ringOf(processor, meaning.kind);
  if (ring) {
    const int error = event->writeInto(ring->event());
    m_events.push_back(std::move(*event));
    return error;
  }
  auto mapped = PerfRing::map(std::move(*event), meaning.kind == PerfKind::Call ? kLeastBytes : m_ringBytes);
  if (!mapped) return mapped.error();
  ring.emplace(std::move(*mapped));
  return 0;
}

std::vector<PerfMeaning> PerfGame::faultMeanings() const {
  std::vector<PerfMeaning> meanings{{.kind = PerfKind::Minor, .function = 0}, {.kind = PerfKind::Major, .function = 0}};
  if (m_plan.samples == SampleMode::None) return meanings;
  meanings.push_back({.kind = PerfKind::MinorWhole, .function = 0});
  meanings.push_back({.kind = PerfKind::MajorWhole, .function = 0});
  return meanings;
}

perf_event_attr PerfGame::attributes(PerfMeaning meaning) const {
  perf_event_attr event{};
  event.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_TIME;
  event.sample_id_all = 1;
  event.sample_period = meaning.kind == PerfKind::MinorWhole && m_plan.samples != SampleMode::All ? kSampleEvery : 1;
  event.use_clockid = 1;
  event.clockid = CLOCK_MONOTONIC;
  event.inherit = 1;
  event.inherit_thread = m_threadsOnly ? 1 : 0;
  event.exclude_hv = 1;
  if (meaning.kind == PerfKind::Call) {
    event.type = PERF_TYPE_BREAKPOINT;
    event.bp_type = HW_BREAKPOINT_X;
    event.bp_addr = m_plan.functions[meaning.function];
    event.bp_len = sizeof(long);
    event.exclude_kernel = 1;
    return event;
  }
  event.type = PERF_TYPE_SOFTWARE;
  event.config = isMajor(meaning.kind) ? PERF_COUNT_SW_PAGE_FAULTS_MAJ : PERF_COUNT_SW_PAGE_FAULTS_MIN;
  event.exclude_kernel = m_seesKernel ? 0 : 1;
  event.task = meaning.kind == PerfKind::Minor ? 1 : 0;
  if (!isWhole(meaning.kind)) return event;
  event.sample_type |= PERF_SAMPLE_ADDR | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
  event.sample_regs_user = m_registers.mask;
  event.sample_stack_user = kStackBytes;
  return event;
}

// The events of a thread that has some of its own count, and those that it has inherited as well do not.
std::optional<PerfMeaning> PerfGame::meaning(const PerfNote& note) const {
  if (note.process != m_plan.pid) return std::nullopt;
  const auto source = m_sources.find(note.event);
  if (source == m_sources.end()) return std::nullopt;
  const PerfMeaning meaning = source->second.meaning;
  const Threads& threads = meaning.kind == PerfKind::Call ? m_callsOf : m_faultsOf;
  const bool inherited = source->second.thread != note.thread;
  return threads.contains(note.thread) != inherited ? std::optional(meaning) : std::nullopt;
}

void PerfGame::forgetThread(std::uint32_t thread) {
  m_faultsOf.erase(thread);
  m_callsOf.erase(thread);
}

}  // namespace faultline
