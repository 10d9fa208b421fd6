#include "core/culprits/fault_joiner.h"

#include <algorithm>
#include <utility>

namespace faultline {
namespace {

constexpr std::size_t kMostThreads = 4096;  // limit of threads whose faults since the last mark are counted

}  // namespace

void FaultJoiner::addLostFaults(MonotonicTime about, std::uint64_t count) {
  m_faults.push_back({{.time = about, .thread = 0, .major = false}, count});
  m_misplaced += count;
}

void FaultJoiner::finish(MonotonicTime until, MonotonicTime now, GameFrameBatch& out) {
  takeMarks(until);
  assignFaults(until);
  for (const Mark& mark : m_marks) addFrame(mark, now, out);
  m_finished = std::max(m_finished, until);
  out.lost = m_joiner.lost();
  out.invalidMarks = m_joiner.invalidMarks();
}

// In order of time, so that functions that call each other are seen in the order of the calls.
void FaultJoiner::takeMarks(MonotonicTime until) {
  m_marks.clear();
  std::ranges::sort(m_calls, {}, &FunctionCall::time);
  const auto later = std::ranges::upper_bound(m_calls, until, {}, &FunctionCall::time);
  for (auto call = m_calls.begin(); call != later; ++call)
    if (m_choice.ends(call->candidate, call->time))
      m_marks.push_back({.call = *call, .restarts = m_choice.changed(), .all = {}, .own = {}});
  m_calls.erase(m_calls.begin(), later);
}

// There are few marks and thousands of faults, mostly in order, so they are not sorted.
void FaultJoiner::assignFaults(MonotonicTime until) {
  if (!m_marks.empty()) {
    m_marks.front().all = m_since;
    m_marks.front().own = m_sinceByThread[m_marks.front().call.thread];
    m_marks.front().ownKnown = std::exchange(m_sinceByThreadKnown, true);
    m_since = {};
    m_sinceByThread.clear();
  }
  std::size_t mark = 0;
  const auto early = [&](const Faults& faults) {
    const MonotonicTime time = faults.note.time;
    if (time > until) return false;
    if (time <= m_finished && faults.note.thread != 0) m_misplaced += faults.count;
    while (mark > 0 && m_marks[mark - 1].call.time >= time) --mark;
    while (mark < m_marks.size() && m_marks[mark].call.time < time) ++mark;
    addTo(mark, faults);
    return true;
  };
  std::erase_if(m_faults, early);
}

void FaultJoiner::addTo(std::size_t mark, const Faults& faults) {
  const FaultNote& note = faults.note;
  if (mark == m_marks.size()) {
    m_since.add(note.major, faults.count);
    if (m_sinceByThread.size() >= kMostThreads) {
      m_sinceByThread.clear();
      m_sinceByThreadKnown = false;
    }
    m_sinceByThread[note.thread].add(note.major, faults.count);
    return;
  }
  m_marks[mark].all.add(note.major, faults.count);
  if (m_marks[mark].call.thread == note.thread) m_marks[mark].own.add(note.major, faults.count);
}

void FaultJoiner::addFrame(const Mark& mark, MonotonicTime now, GameFrameBatch& out) {
  if (mark.restarts) m_joiner.restart();
  ++m_last.number;
  std::erase_if(m_lostCalls, [&](const Lost& lost) {
    if (lost.about >= mark.call.time) return false;
    m_last.number += lost.count;
    return true;
  });
  m_last.time = mark.call.time;
  m_last.thread = mark.call.thread;
  m_last.values.grow(FrameMetric::MinorFaults, mark.all.minor);
  m_last.values.grow(FrameMetric::MajorFaults, mark.all.major);
  // Compared only with a previous mark of the same thread.
  m_last.values.grow(FrameMetric::ThreadMinorFaults, mark.own.minor);
  m_last.values.grow(FrameMetric::ThreadMajorFaults, mark.own.major);
  auto frame = m_joiner.add(m_last, now);
  if (!frame) return;
  if (!mark.ownKnown) {
    frame->values.clear(FrameMetric::ThreadMinorFaults);
    frame->values.clear(FrameMetric::ThreadMajorFaults);
  }
  out.frames.push_back(*frame);
}

}  // namespace faultline
