#include "core/culprits/culprits.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "core/text/quantity.h"

namespace faultline {
namespace {

constexpr std::string_view kNotKnown = "unknown";

std::string threadName(const FaultSample& sample) {
  return sample.threadName.empty() ? std::to_string(sample.thread) : printableName(sample.threadName);
}

std::string ownLine(const CallStack& stack) {
  if (stack.empty()) return std::string(kNotKnown);
  const auto own = std::ranges::find(stack, false, &StackFrame::system);
  return lineName(own != stack.end() ? *own : stack.front());
}

// At most 1000 s per sample, so that hostile sums cannot overflow.
Nanoseconds timeOf(const FaultSample& sample) {
  const auto took = static_cast<double>(sample.took.value_or(Nanoseconds(0)).count());
  return Nanoseconds(static_cast<std::int64_t>(std::min(took * static_cast<double>(sample.weight), 1e12)));
}

template <class Shares>
std::vector<CulpritShare> sorted(const Shares& shares, bool byTime) {
  std::vector<CulpritShare> list;
  list.reserve(shares.size());
  for (const auto& [key, share] : shares) list.push_back(share);
  const auto amount = [&](const CulpritShare& share) {
    return byTime ? static_cast<std::uint64_t>(share.time.count()) : share.faults;
  };
  std::ranges::sort(list, [&](const CulpritShare& a, const CulpritShare& b) {
    return std::pair(amount(b), std::tie(a.name, a.thread)) < std::pair(amount(a), std::tie(b.name, b.thread));
  });
  return list;
}

}  // namespace

double Culprits::share(const CulpritShare& part) const {
  if (timed && time > Nanoseconds(0)) return static_cast<double>(part.time.count()) / static_cast<double>(time.count());
  return faults == 0 ? 0 : static_cast<double>(part.faults) / static_cast<double>(faults);
}

void CulpritSearch::remember(const FaultSample& sample) {
  static_cast<void>(m_kinds.next(sample));
}

void CulpritSearch::count(Shares& shares, std::string name, std::uint32_t thread, const FaultSample& sample) {
  CulpritShare& share = shares[{name, thread}];
  share.name = std::move(name);
  share.thread = thread;
  share.faults += sample.weight;
  share.time += timeOf(sample);
}

void CulpritSearch::add(const FaultSample& sample) {
  ++m_found.samples;
  m_found.faults += sample.weight;
  m_found.time += timeOf(sample);
  m_allTimed = m_allTimed && sample.took.has_value();
  const std::string thread = threadName(sample);
  count(m_threads, thread, sample.thread, sample);
  count(m_memory, memoryName(sample), 0, sample);
  count(m_byKind, std::string(faultKindName(m_kinds.next(sample))), 0, sample);
  const CallStack stack = m_reader != nullptr ? m_reader->read(sample) : CallStack();
  m_found.stacks = m_found.stacks || !stack.empty();
  count(m_lines, ownLine(stack), 0, sample);
  addStack(m_found.tree, thread, stack, sample.weight, timeOf(sample));
}

Culprits CulpritSearch::found() const {
  Culprits found = m_found;
  found.timed = found.samples > 0 && m_allTimed;
  found.threads = sorted(m_threads, found.timed);
  found.memory = sorted(m_memory, found.timed);
  found.kinds = sorted(m_byKind, found.timed);
  if (found.stacks) found.lines = sorted(m_lines, found.timed);
  sortTree(found.tree);
  return found;
}

Culprits findCulprits(std::span<const FaultSample> samples, StackReader* reader) {
  std::vector<const FaultSample*> inTime;
  for (const FaultSample& sample : samples) inTime.push_back(&sample);
  std::ranges::sort(inTime, {}, [](const FaultSample* sample) { return std::pair(sample->time, sample); });
  CulpritSearch search(reader);
  for (const FaultSample* sample : inTime) search.add(*sample);
  return search.found();
}

Culprits findCulprits(CulpritSearch search, std::span<const FaultSample> samples, std::size_t most) {
  const std::size_t step = most > 0 ? (samples.size() + most - 1) / most : 0;
  if (step <= 1) {
    for (const FaultSample& sample : samples) search.add(sample);
    return search.found();
  }
  for (std::size_t begin = 0; begin < samples.size(); begin += step) {
    FaultSample sample = samples[begin];
    for (const FaultSample& other : samples.subspan(begin + 1, std::min(step, samples.size() - begin) - 1))
      sample.weight += other.weight;
    search.add(sample);
  }
  return search.found();
}

std::string culpritText(const Culprits& culprits, std::uint64_t faults) {
  if (culprits.samples == 0) return {};
  const bool all = culprits.samples == culprits.faults && culprits.faults == faults;
  const auto text = [&](const CulpritShare& share, std::string_view what = {}) {
    return fmt::format("{}{} in {}{}", all ? "" : "about ", formatPercent(culprits.share(share)), what, share.name);
  };
  if (culprits.lines.empty()) return text(culprits.threads.front(), "thread ");
  const auto known = std::ranges::find_if(culprits.lines, [](const auto& line) { return line.name != kNotKnown; });
  return text(known != culprits.lines.end() ? *known : culprits.lines.front());
}

}  // namespace faultline
