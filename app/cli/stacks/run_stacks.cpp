#include "app/cli/stacks/run_stacks.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "app/cli/stacks/source_lines.h"
#include "platform/host/processes.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;

constexpr double kManyFaults = 20'000;
constexpr std::ptrdiff_t kMostAtOnce = 8;  // collectors of further processes
constexpr std::size_t kMostOthers = 64;
constexpr Nanoseconds kLookPause = 10ms;

}  // namespace

CallSites callSitesOf(FaultWatch& watch, const FaultWatches& others) {
  if (std::string why = watch.whyNot(); !why.empty()) return {.whyNot = std::move(why)};
  SiteCount count(sourceRoot(), sourceLine);
  watch.read([&](const FaultSample& sample) { count.add(sample); });
  std::uint64_t read = 0;
  for (const auto& other : others) {
    if (!other->whyNot().empty()) continue;
    ++read;
    other->read([&](const FaultSample& sample) { count.add(sample, other->watched()->name); });
  }
  CallSites found = count.found();
  found.each = watch.each() && read == 0;
  found.others = read;
  if (found.sites.empty())
    found.whyNot = watch.stackTrouble().empty() ? "No page fault of the program was sampled." : watch.stackTrouble();
  return found;
}

RunStacks::RunStacks(const CommonOptions& common, double faults, bool family)
    : m_common(common), m_mode(faults > kManyFaults ? SampleMode::Some : SampleMode::All), m_family(family) {}

TrialWatch RunStacks::watch() {
  return {.begin =
              [this](std::uint32_t pid) {
                m_pid = pid;
                m_watch.emplace(m_common, optionsFor(pid, true));
              },
          .ready = [this] { return m_watch->ready(); },
          .pause = [this] { return pause(); },
          .step =
              [this] {
                step();
                return m_watch->starting() ? TrialWish::Hold : TrialWish::Run;
              }};
}

FaultWatchOptions RunStacks::optionsFor(std::uint32_t pid, bool started) const {
  return {.pid = pid, .samples = m_mode, .started = started, .spreadsLost = true};
}

std::optional<Nanoseconds> RunStacks::pause() const {
  const auto due = m_watch->pause();
  return m_family ? std::min(due.value_or(kLookPause), kLookPause) : due;
}

void RunStacks::step() {
  m_watch->step();
  for (const auto& other : m_others) other->step();
  if (m_family && !m_watch->starting()) look();
}

// Passes over processes that end between two looks. Further ones wait until a collector has ended.
void RunStacks::look() {
  if (Steady::now() < m_lookAt) return;
  for (const std::uint32_t pid : descendantsOf(m_pid)) {
    const bool isNew = m_seen.insert(pid).second;
    const auto now = std::ranges::count_if(m_others, [](const auto& other) { return !other->ended(); });
    if (isNew || now >= kMostAtOnce || m_others.size() >= kMostOthers || !m_taken.insert(pid).second) continue;
    m_others.push_back(std::make_unique<FaultWatch>(m_common, optionsFor(pid, false)));
    m_others.back()->step();
  }
  m_lookAt = Steady::now() + kLookPause;
}

CallSites RunStacks::finish(const Interrupt& interrupt) {
  if (!m_watch)
    return {.whyNot = "The program could not be held at its start, as it gains rights when it is executed."};
  m_watch->programEnded();
  m_watch->finish(interrupt);
  for (const auto& other : m_others) {
    other->programEnded();
    other->finish(interrupt);
  }
  CallSites found = callSitesOf(*m_watch, m_others);
  found.passed = m_seen.size() - std::min<std::size_t>(m_seen.size(), found.others);
  return found;
}

}  // namespace faultline
