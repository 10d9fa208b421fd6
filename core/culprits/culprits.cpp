#include "core/culprits/culprits.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include "core/text/quantity.h"

namespace faultline {
namespace {

constexpr std::string_view kNotKnown = "unknown";

std::string threadName(const FaultSample& sample) {
  return sample.threadName.empty() ? std::to_string(sample.thread) : printableName(sample.threadName);
}

// Functions that allocate, free, copy or fill memory for a caller, between spaces.
constexpr std::string_view kForCallers =
    " malloc malloc0 calloc realloc free memalign aligned_alloc posix_memalign sysmalloc sysmalloc_mmap systrim "
    " malloc_consolidate free_chunk tcache_init memcpy memmove memset mempcpy tc_new tc_newarray tc_delete "
    " operator new operator new[] operator delete operator delete[] "
    " rust_alloc rust_alloc_zeroed rust_realloc rdl_alloc rdl_alloc_zeroed rdl_realloc rg_alloc rg_realloc "
    " runtime.mallocgc runtime.newobject runtime.makeslice runtime.growslice runtime.memmove "
    " runtime.memclrNoHeapPointers ";
// Before such a name, of libraries.
constexpr auto kPrefixes = std::to_array<std::string_view>({"", "libc_", "int_", "je_", "mi_", "tc_", "g_", "SDL_"});
// Of allocators, and of the standard libraries of C++ and Rust, whatever follows.
constexpr auto kLibraries = std::to_array<std::string_view>(
    {"je_", "mi_malloc_", "mi_heap_", "mi_page_", "mi_segment_", "std::", "alloc::", "core::", "<alloc::", "<core::"});
// The C library's copies for one kind of processor, such as __memcpy_avx_unaligned_erms.
constexpr auto kVariants = std::to_array<std::string_view>({"memcpy_", "memmove_", "memset_", "mempcpy_"});

bool worksForCaller(const StackFrame& frame) {
  std::string_view name = frame.function;
  name.remove_prefix(std::min(name.find_first_not_of('_'), name.size()));
  const auto begins = [&](std::string_view prefix) { return name.starts_with(prefix); };
  if (std::ranges::any_of(kLibraries, begins) || (frame.system && std::ranges::any_of(kVariants, begins))) return true;
  return std::ranges::any_of(kPrefixes, [&](std::string_view prefix) {
    if (!begins(prefix) || name.size() == prefix.size()) return false;
    return kForCallers.find(fmt::format(" {} ", name.substr(prefix.size()))) != std::string_view::npos;
  });
}

bool isCut(const StackFrame& frame) {
  return frame.function == kTruncatedStack;
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

double shareOf(const CallCost& whole, const CulpritShare& part, bool timed) {
  if (timed && whole.time > Nanoseconds(0)) return inNs(part.time) / inNs(whole.time);
  return whole.faults == 0 ? 0 : static_cast<double>(part.faults) / static_cast<double>(whole.faults);
}

bool works(const StackFrame& frame) {
  return !isCut(frame) && !worksForCaller(frame);
}

// The innermost call stack frame of the game's own code, or null.
const StackFrame* ownFrame(const CallStack& stack) {
  const auto line = std::ranges::find_if(stack, [](const auto& frame) { return !frame.system && works(frame); });
  return line == stack.end() ? nullptr : &*line;
}

// Without such, the innermost that does not work for its caller. Null: each known one does.
const StackFrame* otherFrame(const CallStack& stack) {
  auto line = std::ranges::find(stack, false, &StackFrame::system);
  if (line == stack.end()) line = std::ranges::find_if(stack, works);
  return line == stack.end() ? nullptr : &*line;
}

}  // namespace

Nanoseconds timeOf(const FaultSample& sample) {
  const auto took = static_cast<double>(sample.took.value_or(Nanoseconds(0)).count());
  return Nanoseconds(static_cast<std::int64_t>(std::min(took * static_cast<double>(sample.weight), 1e12)));
}

const StackFrame* culpritFrame(const CallStack& stack) {
  if (stack.empty() || isCut(stack.front())) return nullptr;
  if (const StackFrame* const own = ownFrame(stack)) return own;
  const StackFrame* const other = otherFrame(stack);
  return other != nullptr ? other : &stack.front();
}

std::string culpritLine(const CallStack& stack) {
  const StackFrame* const frame = culpritFrame(stack);
  if (frame == nullptr) return std::string(kNotKnown);
  if (!isCut(stack.back()) || ownFrame(stack) != nullptr) return lineName(*frame);
  const bool found = otherFrame(stack) != nullptr;
  return (found ? lineName(*frame) : "a caller of " + lineName(stack[stack.size() - 2])) + ", call stack cut";
}

double Culprits::share(const CulpritShare& part) const {
  return shareOf(listed, part, timed);
}

double Culprits::shareOfAll(const CulpritShare& part) const {
  return shareOf({.faults = faults, .time = time}, part, timed);
}

void CulpritSearch::remember(const FaultSample& sample) {
  static_cast<void>(m_kinds.next(sample));
  m_causes.remember(sample);
}

CallCost CulpritSearch::onPath(const FaultSample& sample) const {
  const double share = m_found.path ? m_found.path->share(sample.thread) : 1;
  return {.faults = static_cast<std::uint64_t>(std::llround(share * static_cast<double>(sample.weight))),
          .time = Nanoseconds(std::llround(share * inNs(timeOf(sample))))};
}

void CulpritSearch::Counted::add(const FaultSample& sample, FaultKind kind, const std::string& line,
                                 const CallCost& cost) {
  const auto count = [&cost](Shares& shares, std::string name, std::uint32_t thread = 0) {
    CulpritShare& share = shares[{name, thread}];
    share.name = std::move(name);
    share.thread = thread;
    share.faults += cost.faults;
    share.time += cost.time;
  };
  count(threads, threadName(sample), sample.thread);
  count(memory, memoryName(sample));
  count(kinds, std::string(faultKindName(kind)));
  count(lines, line);
}

CulpritLists CulpritSearch::Counted::lists(bool byTime, bool withLines) const {
  return {.threads = sorted(threads, byTime),
          .memory = sorted(memory, byTime),
          .kinds = sorted(kinds, byTime),
          .lines = withLines ? sorted(lines, byTime) : std::vector<CulpritShare>()};
}

void CulpritSearch::add(const FaultSample& sample) {
  ++m_found.samples;
  m_found.faults += sample.weight;
  m_found.time += timeOf(sample);
  m_allTimed = m_allTimed && sample.took.has_value();
  const FaultKind kind = m_kinds.next(sample);
  const CallStack stack =
      sample.calls == nullptr && m_reader != nullptr ? m_reader->read(sample) : stackOf(sample.calls);
  m_found.stacks = m_found.stacks || !stack.empty();
  const std::string line = culpritLine(stack);
  const CallCost whole{.faults = sample.weight, .time = timeOf(sample), .majors = sample.major ? sample.weight : 0};
  addStack(m_found.tree, threadName(sample), stack, whole);
  if (m_found.path) m_ofAll.add(sample, kind, line, whole);
  const CallCost cost = onPath(sample);
  if (cost.faults == 0 && cost.time == Nanoseconds(0)) return;
  m_found.listed.faults += cost.faults;
  m_found.listed.time += cost.time;
  m_listed.add(sample, kind, line, cost);
  m_causes.add(sample, kind, line, cost);
}

Culprits CulpritSearch::found() const {
  Culprits found = m_found;
  found.timed = found.samples > 0 && m_allTimed;
  static_cast<CulpritLists&>(found) = m_listed.lists(found.timed, found.stacks);
  found.ofAll = found.path ? m_ofAll.lists(found.timed, found.stacks) : found;
  found.causes = m_causes.found();
  sortTree(found.tree);
  return found;
}

FaultSample resolved(FaultSample sample, StackReader* reader) {
  if (!sample.calls) sample.calls = callsOf(reader != nullptr ? reader->read(sample) : CallStack());
  if (sample.mapping && memoryName(sample) == "stack") sample.mapping->name = "[stack]";  // registers tell that
  sample.registers.clear();
  sample.stack.clear();
  return sample;
}

Culprits findCulprits(std::span<const FaultSample> samples, StackReader* reader) {
  std::vector<const FaultSample*> inTime;
  for (const FaultSample& sample : samples) inTime.push_back(&sample);
  std::ranges::sort(inTime, {}, [](const FaultSample* sample) { return std::pair(sample->time, sample); });
  CulpritSearch search(reader);
  for (const FaultSample* sample : inTime) search.add(*sample);
  return search.found();
}

void forSomeOf(std::span<const FaultSample> samples, std::size_t most,
               const std::function<void(const FaultSample&)>& use) {
  const std::size_t step = most > 0 ? (samples.size() + most - 1) / most : 0;
  if (step <= 1) {
    for (const FaultSample& sample : samples) use(sample);
    return;
  }
  for (std::size_t begin = 0; begin < samples.size(); begin += step) {
    FaultSample sample = samples[begin];
    for (const FaultSample& other : samples.subspan(begin + 1, std::min(step, samples.size() - begin) - 1))
      sample.weight += other.weight;
    use(sample);
  }
}

Culprits findCulprits(CulpritSearch search, std::span<const FaultSample> samples, std::size_t most) {
  forSomeOf(samples, most, [&](const FaultSample& sample) { search.add(sample); });
  return search.found();
}

Culprits sumOf(std::span<const std::shared_ptr<const Culprits>> all) {
  Culprits sum;
  sum.timed = std::ranges::all_of(all, &Culprits::timed, [](const auto& one) -> const Culprits& { return *one; });
  std::map<std::pair<std::string, std::uint32_t>, CulpritShare> lines;
  std::map<std::pair<std::string, std::uint32_t>, CulpritShare> threads;
  const auto add = [](auto& shares, const std::vector<CulpritShare>& some) {
    for (const CulpritShare& share : some) {
      CulpritShare& of = shares.try_emplace({share.name, share.thread}, share.name, share.thread).first->second;
      of.faults += share.faults;
      of.time += share.time;
    }
  };
  for (const auto& one : all) {
    sum.samples += one->samples;
    sum.faults += one->faults;
    sum.time += one->time;
    sum.listed.faults += one->listed.faults;
    sum.listed.time += one->listed.time;
    sum.stacks = sum.stacks || one->stacks;
    add(lines, one->lines);
    add(threads, one->threads);
  }
  sum.lines = sorted(lines, sum.timed);
  sum.threads = sorted(threads, sum.timed);
  return sum;
}

const std::vector<CulpritShare>& culpritList(const CulpritLists& lists) {
  return lists.lines.empty() ? lists.threads : lists.lines;
}

std::string culpritText(const Culprits& culprits, std::uint64_t faults) {
  if (culprits.threads.empty()) return {};
  const bool clear = !culprits.path || culprits.path->clear;
  const bool some = culprits.path && culprits.path->ofOthers > 0;
  const bool all = culprits.samples == culprits.faults && culprits.faults == faults && !some;
  const auto text = [&](const CulpritShare& share, std::string_view what = {}) {
    return fmt::format("{}{} in {}{}",
                       !clear ? "perhaps "
                       : all  ? ""
                              : "about ",
                       formatPercent(culprits.share(share)), what, share.name);
  };
  if (culprits.lines.empty()) return text(culprits.threads.front(), "thread ");
  const auto known = std::ranges::find_if(culprits.lines, [](const auto& line) { return line.name != kNotKnown; });
  return text(known != culprits.lines.end() ? *known : culprits.lines.front());
}

}  // namespace faultline
