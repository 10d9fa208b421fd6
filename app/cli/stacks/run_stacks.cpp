#include "app/cli/stacks/run_stacks.h"

#include <utility>

#include "app/cli/stacks/source_lines.h"

namespace faultline {
namespace {

constexpr double kManyFaults = 20'000;

}  // namespace

CallSites callSitesOf(FaultWatch& watch) {
  if (std::string why = watch.whyNot(); !why.empty()) return {.whyNot = std::move(why)};
  SiteCount count(sourceRoot(), sourceLine);
  watch.read([&](const FaultSample& sample) { count.add(sample); });
  CallSites found = count.found();
  found.each = watch.each();
  if (found.sites.empty())
    found.whyNot = watch.stackTrouble().empty() ? "No page fault of the program was sampled." : watch.stackTrouble();
  return found;
}

RunStacks::RunStacks(const CommonOptions& common, double faults)
    : m_common(common), m_mode(faults > kManyFaults ? SampleMode::Some : SampleMode::All) {}

TrialWatch RunStacks::watch() {
  return {.begin =
              [this](std::uint32_t pid) {
                m_watch.emplace(m_common,
                                FaultWatchOptions{.pid = pid, .samples = m_mode, .started = true, .spreadsLost = true});
              },
          .ready = [this] { return m_watch->ready(); },
          .pause = [this] { return m_watch->pause(); },
          .step =
              [this] {
                m_watch->step();
                return m_watch->starting() ? TrialWish::Hold : TrialWish::Run;
              }};
}

CallSites RunStacks::finish(const Interrupt& interrupt) {
  if (!m_watch)
    return {.whyNot = "The program could not be held at its start, as it gains rights when it is executed."};
  m_watch->programEnded();
  m_watch->finish(interrupt);
  return callSitesOf(*m_watch);
}

}  // namespace faultline
