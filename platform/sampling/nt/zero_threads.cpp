#include "platform/sampling/nt/zero_threads.h"

#include <algorithm>

namespace faultline {
namespace {

// A counter that runs backwards adds nothing.
}  // namespace

ZeroThreads::~ZeroThreads() {
  for (Known& known : m_known) known.there = false;
  forgetAbsent();
}

ZeroThreadTotals ZeroThreads::look(const NtProcess& system) {
  for (Known& known : m_known) known.there = false;
  m_totals.cycles = m_cycles;
  for (std::size_t i = 0; i < system.threads(); ++i) {
    const NtThread thread = system.thread(i);
    if (thread.basePriority == 0) count(thread);
  }
  forgetAbsent();
  m_totals.threads = m_known.size();
  if (m_totals.cycles) m_totals.cycles = m_cycles;
  return m_totals;
}

// Thread ids are reused.
ZeroThreads::Known& ZeroThreads::knownAs(const NtThread& thread) {
  const auto same = [&](const Known& known) {
    return known.last.thread == thread.thread && known.last.createTime == thread.createTime;
  };
  const auto found = std::ranges::find_if(m_known, same);
  if (found != m_known.end()) return *found;
  NtThread fresh = thread;
  fresh.kernelTime = 0;
  fresh.contextSwitches = 0;
  m_known.push_back({.last = fresh, .handle = m_nt.openThread(thread.thread)});
  return m_known.back();
}

void ZeroThreads::count(const NtThread& thread) {
  Known& known = knownAs(thread);
  known.there = true;
  m_totals.kernelTime += grown(known.last.kernelTime, thread.kernelTime);
  m_totals.switches += thread.contextSwitches - known.last.contextSwitches;
  known.last = thread;
  const auto cycles = known.handle ? m_nt.threadCycles(*known.handle) : std::nullopt;
  if (!cycles) {
    m_totals.cycles.reset();
    return;
  }
  m_cycles += grown(known.cycles, *cycles);
  known.cycles = *cycles;
}

void ZeroThreads::forgetAbsent() {
  for (const Known& known : m_known)
    if (!known.there && known.handle) m_nt.close(*known.handle);
  std::erase_if(m_known, [](const Known& known) { return !known.there; });
}

}  // namespace faultline
