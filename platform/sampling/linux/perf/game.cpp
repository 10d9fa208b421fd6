#include "platform/sampling/linux/perf/game.h"

#include <linux/hw_breakpoint.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>

#include "platform/sampling/linux/facts/proc_files.h"
#include "platform/sampling/linux/facts/refusal.h"

namespace faultline {
namespace {

constexpr std::size_t kMostRingBytes = std::size_t{1} << 20U;  // of a ring: 32768 faults
constexpr std::size_t kLeastBytes = std::size_t{16} << 10U;    // also of each ring of calls
constexpr int kMostTries = 100;
constexpr std::int64_t kPauseNs = 5'000'000;  // between two tries
constexpr const char* kOtherWays =
    " Let the game call faultline_frame() of faultline_frame.h, or assume a rate, such as --assume 60.";

std::string nameOf(const ProcessFolder& process, std::uint32_t thread) {
  const UniqueFd file = process.openOfThread(thread, "comm");
  std::array<char, 64> text{};
  const ssize_t count = read(file.get(), text.data(), text.size());
  return {text.data(), count > 0 ? static_cast<std::size_t>(count - 1) : 0};  // without the line break
}

void pauseBetweenTries() {
  const timespec pause{.tv_sec = 0, .tv_nsec = kPauseNs};
  nanosleep(&pause, nullptr);
}

tl::unexpected<Error> refused(int error) {
  const std::string reason = std::string(" (") + std::strerror(error) + ").";
  switch (error) {
    case EACCES:
    case EPERM: {
      const auto [why, enable] = refusedEvent("let this program watch the game", error, EventOf::OwnProgram);
      return fail(why + ". To enable: " + enable + kOtherWays);
    }
    case ENOBUFS:
      return fail(std::string("Other programs of this user use all the memory that the kernel allows for perf events. "
                              "Raise kernel.perf_event_mlock_kb.") +
                  kOtherWays);
    case ENOSPC:
      return fail(std::string("Another program, such as a debugger, uses the game's hardware breakpoints.") +
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

std::optional<PerfRing>& ringOf(PerfProcessor& processor, PerfKind kind) {
  if (kind == PerfKind::Call) return processor.calls;
  return isWhole(kind) ? processor.whole : processor.faults;
}

}  // namespace

// A thread that begins meanwhile may inherit all events of its creator, some or none; then all events are opened again.
// Once no thread has begun meanwhile, all later threads inherit all events.
Result<PerfGame> PerfGame::open(const PerfPlan& plan, const ProcessFolder& folder) {
  static_cast<void>(raiseFileLimit());
  PerfGame game(plan);
  for (int left = kMostTries; left > 0;) {
    const std::vector<std::uint32_t> threads = folder.threads();
    const int error = game.openAll(threads);
    if (error != 0 && !game.giveWay(error)) return refused(error);
    if (error != 0) continue;
    const std::vector<std::uint32_t> after = folder.threads();
    if (std::ranges::includes(threads, after)) {
      for (const std::uint32_t thread : after) game.m_names.set(thread, nameOf(folder, thread));
      return game;
    }
    if (--left > 0) pauseBetweenTries();
  }
  game.m_seesAllThreads = false;
  return game;
}

PerfGame::PerfGame(const PerfPlan& plan)
    : m_plan(plan),
#ifdef __aarch64__
      m_registers(perfRegistersArm64()),
#else
      m_registers(perfRegistersX86()),
#endif
      m_ringBytes(kMostRingBytes),
      m_functions(plan.functions.size()) {
}

// 0 or errno. Skips threads that end meanwhile.
int PerfGame::openAll(const std::vector<std::uint32_t>& threads) {
  m_processors.clear();
  m_events.clear();
  m_meanings.clear();
  int error = ESRCH;
  for (const std::uint32_t thread : threads) {
    const int opened = openThread(thread);
    if (opened == 0) error = 0;
    else if (opened != ESRCH) return opened;
  }
  return error;
}

int PerfGame::openThread(std::uint32_t thread) {
  if (m_processors.empty())
    if (const int error = findProcessors(thread); error != 0) return error;
  for (PerfProcessor& processor : m_processors)
    for (const PerfMeaning meaning : meanings())
      if (const int error = openOn(processor, thread, meaning); error != 0) return error;
  return 0;
}

int PerfGame::findProcessors(std::uint32_t thread) {
  for (int number = 0; number < static_cast<int>(sysconf(_SC_NPROCESSORS_CONF)); ++number) {
    const auto trial = PerfEvent::open(attributes({}), {.thread = static_cast<int>(thread), .processor = number});
    if (trial)
      m_processors.push_back({.number = number,
                              .faults = {},
                              .calls = {},
                              .whole = {},
                              .unreadWhole = {},
                              .lastFault = {},
                              .lastCall = {}});
    else if (trial.error() != ENODEV) return trial.error();
  }
  return m_processors.empty() ? ENODEV : 0;
}

// Reduces the request after this error. False if nothing is left to reduce.
bool PerfGame::giveWay(int error) {
  if (error == EINVAL && m_threadsOnly) m_threadsOnly = false;  // before Linux 5.13
  else if ((error == EACCES || error == EPERM) && m_seesKernel) m_seesKernel = false;
  else if (error == ENOBUFS && m_ringBytes > kLeastBytes) m_ringBytes /= 2;
  else if (error == ENOSPC && m_functions > 1) --m_functions;
  else return false;
  return true;
}

int PerfGame::openOn(PerfProcessor& processor, std::uint32_t thread, PerfMeaning meaning) {
  auto event =
      PerfEvent::open(attributes(meaning), {.thread = static_cast<int>(thread), .processor = processor.number});
  if (!event) return event.error();
  m_meanings[event->id()] = meaning;
  std::optional<PerfRing>& ring = ringOf(processor, meaning.kind);
  if (ring) {
    const int error = event->writeInto(ring->event());
    m_events.push_back(std::move(*event));
    return error;
  }
  auto mapped = PerfRing::map(std::move(*event), ringBytes(meaning.kind));
  if (!mapped) return mapped.error();
  ring.emplace(std::move(*mapped));
  return 0;
}

// A user may lock little memory, and counts matter more than samples.
std::size_t PerfGame::ringBytes(PerfKind kind) const {
  if (kind == PerfKind::Call || (!m_plan.counts && !isWhole(kind))) return kLeastBytes;
  const bool shares = m_plan.counts && isWhole(kind) && m_plan.samples != SampleMode::All;
  return shares ? std::max(kLeastBytes, m_ringBytes / 2) : m_ringBytes;
}

std::vector<PerfMeaning> PerfGame::meanings() const {
  std::vector<PerfMeaning> meanings{{.kind = PerfKind::Minor, .function = 0}};
  if (m_plan.counts) meanings.push_back({.kind = PerfKind::Major, .function = 0});
  for (std::size_t function = 0; function < m_functions; ++function)
    meanings.push_back({.kind = PerfKind::Call, .function = function});
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
  event.config = meaning.isMajor() ? PERF_COUNT_SW_PAGE_FAULTS_MAJ : PERF_COUNT_SW_PAGE_FAULTS_MIN;
  if (!m_plan.counts && !isWhole(meaning.kind)) event.config = PERF_COUNT_SW_DUMMY;
  event.exclude_kernel = m_seesKernel ? 0 : 1;
  event.task = meaning.kind == PerfKind::Minor ? 1 : 0;  // a thread's end also reports lost records
  event.comm = event.task;
  event.comm_exec = event.task;
  if (!isWhole(meaning.kind)) return event;
  event.sample_type |= PERF_SAMPLE_ADDR | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
  event.sample_regs_user = m_registers.mask;
  event.sample_stack_user = stackBytesOf(m_plan.samples);
  return event;
}

std::optional<PerfMeaning> PerfGame::meaning(const PerfNote& note) const {
  if (note.process != m_plan.pid) return std::nullopt;
  const auto meaning = m_meanings.find(note.event);
  return meaning == m_meanings.end() ? std::nullopt : std::optional(meaning->second);
}

}  // namespace faultline
