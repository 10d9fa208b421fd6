#include "platform/sampling/nt/thread_work.h"

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>
#include <utility>

#include "core/parse/nt/processes.h"
#include "core/parse/nt/time.h"
#include "core/text/quantity.h"
#include "platform/sampling/nt/buffer.h"
#include "platform/sampling/nt/process_table.h"
#include "platform/sampling/nt/zero_threads.h"

namespace faultline {
namespace {

constexpr std::size_t kFirstThreads = 256 << 10;
constexpr std::size_t kShown = 12;

using Identity = std::pair<std::uint32_t, std::uint64_t>;  // thread id and time of creation

class Watch {
 public:
  explicit Watch(const NtFunctions& nt) : m_nt(nt) {}
  ~Watch() {
    for (const auto& [thread, handle] : m_handles) m_nt.close(handle);
  }
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  // Opens each thread when it is first seen.
  Result<std::map<Identity, NtThread>> look() {
    const auto bytes = m_list.read(m_nt);
    if (!bytes) return fail("The list of processes cannot be read: " + bytes.error().message + ".");
    std::vector<NtProcess> processes;
    if (!listNtProcesses(*bytes, std::bit_cast<std::uintptr_t>(bytes->data()), processes))
      return fail("The system's list of processes is invalid.");
    const auto system = std::ranges::find(processes, kSystemProcess, &NtProcess::pid);
    if (system == processes.end())
      return fail("Process 4, whose threads zero pages, is not visible. Wine has no such process.");
    std::map<Identity, NtThread> threads;
    for (std::size_t i = 0; i < system->threads(); ++i) {
      const NtThread thread = system->thread(i);
      threads[{thread.thread, thread.createTime}] = thread;
      if (m_handles.contains(thread.thread)) continue;
      if (const auto handle = m_nt.openThread(thread.thread)) m_handles[thread.thread] = *handle;
    }
    return threads;
  }
  std::map<std::uint32_t, std::uint64_t> cycles() const {
    std::map<std::uint32_t, std::uint64_t> all;
    for (const auto& [thread, handle] : m_handles)
      if (const auto count = m_nt.threadCycles(handle)) all[thread] = *count;
    return all;
  }

 private:
  const NtFunctions& m_nt;
  NtBuffer m_list{NtClass::Processes, kFirstThreads};
  std::map<std::uint32_t, std::uintptr_t> m_handles;
};

std::string padded(const std::string& text, std::size_t width) {
  return std::string(width - std::min(width, text.size()), ' ') + text;
}

// The sum over the threads of one kind, and over all.
template <class Of>
std::string share(const std::vector<ThreadWork>& work, const std::string& unit, Of of) {
  double zeroing = 0;
  double all = 0;
  for (const ThreadWork& each : work) {
    all += of(each);
    if (each.basePriority == 0) zeroing += of(each);
  }
  if (all == 0) return "Process 4 did nothing meanwhile: no thread can be confirmed.\n";
  return "Those with base priority 0, which Faultline takes for the threads that zero, had " +
         formatPercent(zeroing / all) + " of these " + unit + ".\n";
}

}  // namespace

Result<std::vector<ThreadWork>> threadWork(const NtFunctions& nt, const std::function<void()>& pause) {
  Watch watch(nt);
  const auto before = watch.look();
  if (!before) return tl::unexpected(before.error());
  const auto cyclesBefore = watch.cycles();
  pause();
  const auto after = watch.look();
  if (!after) return tl::unexpected(after.error());
  const auto cyclesAfter = watch.cycles();
  std::vector<ThreadWork> all;
  for (const auto& [identity, thread] : *after) {
    const auto old = before->find(identity);
    if (old == before->end()) continue;
    ThreadWork work{
        .thread = thread.thread,
        .basePriority = thread.basePriority,
        .switches = thread.contextSwitches - old->second.contextSwitches,
        .time = Nanoseconds(static_cast<std::int64_t>(grown(old->second.kernelTime, thread.kernelTime) * kNtTimeNs)),
        .cycles = {}};
    if (cyclesBefore.contains(work.thread) && cyclesAfter.contains(work.thread))
      work.cycles = grown(cyclesBefore.at(work.thread), cyclesAfter.at(work.thread));
    if (work.switches > 0 || work.time.count() > 0 || work.cycles.value_or(0) > 0) all.push_back(work);
  }
  const auto busy = [](const ThreadWork& work) {
    return std::tuple(work.cycles.value_or(0), work.switches, ~work.thread);
  };
  std::ranges::sort(all, std::greater{}, busy);
  return all;
}

std::string threadWorkText(const std::vector<ThreadWork>& work) {
  std::string text = "Threads of process 4 that worked while pages were asked for, touched and freed:\n";
  text += "    thread  base priority  switches        time          cycles\n";
  for (const ThreadWork& each :
       std::vector(work.begin(), work.begin() + static_cast<std::ptrdiff_t>(std::min(work.size(), kShown)))) {
    text += padded(std::to_string(each.thread), 10) + padded(std::to_string(each.basePriority), 15) +
            padded(std::to_string(each.switches), 10) +
            padded(std::to_string(each.time / std::chrono::milliseconds(1)) + " ms", 12) +
            padded(each.cycles ? std::to_string(*each.cycles) : "-", 16) + "\n";
  }
  if (work.size() > kShown) text += "    and " + std::to_string(work.size() - kShown) + " more\n";
  const bool counted = std::ranges::any_of(work, [](const ThreadWork& each) { return each.cycles.has_value(); });
  if (counted)
    return text +
           share(work, "cycles", [](const ThreadWork& each) { return static_cast<double>(each.cycles.value_or(0)); });
  return text + share(work, "switches", [](const ThreadWork& each) { return static_cast<double>(each.switches); }) +
         "Their cycles need SeDebugPrivilege: add --elevate.\n";
}

}  // namespace faultline
