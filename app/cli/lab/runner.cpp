#include "app/cli/lab/runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>

#include "app/cli/lab/freed_check.h"
#include "app/cli/lab/lab_child.h"
#include "app/cli/lab/trace.h"
#include "app/cli/stream/collector.h"
#include "core/lab/memory_need.h"
#include "core/trial/remedy.h"
#include "platform/host/lab/frequency.h"
#include "platform/host/lab/memory.h"
#include "platform/host/programs.h"
#include "platform/host/trial/place.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;

bool endRequested(Signals& signals) {
  bool requested = false;
  while (const auto signal = signals.next()) {
    if (*signal == Signal::Suspend) suspendSelf();
    requested |= *signal == Signal::Interrupt || *signal == Signal::Terminate;
  }
  return requested;
}

// The faults of process `pid`, as a collector sees them after the experiment: a collector that ran beside the
// experiment would take its time.
Result<std::uint64_t> faultsSeen(std::uint32_t pid, CommonOptions common, const Interrupt& interrupt, LabEnd& end) {
  common.faultTime = false;
  auto stream = CollectorStream::start(common, {.interval = 50ms, .sampling = false});
  if (!stream) return tl::unexpected(stream.error());
  for (;;) {
    const auto event = stream->waitForEvent(interrupt);
    if (!event) return tl::unexpected(event.error());
    if (const auto* hello = std::get_if<Hello>(&*event)) {
      end.machine = hello->machine;
      end.report.machine =
          fmt::format("{}, {}, {} processors{}", hello->machine.system, hello->machine.processor,
                      hello->machine.processors, processorFrequency() ? "" : ", whose frequency is not seen");
    }
    const auto* const snapshot = std::get_if<const Snapshot*>(&*event);
    if (snapshot == nullptr) continue;
    for (const ProcessSample& process : (*snapshot)->processes) {
      if (process.key.pid != pid) continue;
      std::uint64_t faults = 0;
      for (const ProcessMetric metric : {ProcessMetric::MinorFaults, ProcessMetric::MajorFaults})
        faults += process.values.get(metric).value_or(0);
      return faults;
    }
    return fail("The collector did not see the experiment's process.");
  }
}

Result<LabEnd> runOnce(const LabChildPlan& plan, const CommonOptions& common, Signals& signals,
                       const std::string& trace = {}) {
  auto child = LabChild::start(plan);
  if (!child) return tl::unexpected(child.error());
  std::optional<LabTrace> lanes;
  if (plan.traced) {
    auto started = LabTrace::start(common, child->pid(), trace);
    if (!started) return tl::unexpected(started.error());
    lanes.emplace(std::move(*started));
  }
  while (!child->complete()) {
    const std::uint32_t ready =
        waitAny(std::array{child->ready(), signals.ready(), lanes ? lanes->ready() : kNoHandle}, std::nullopt);
    if ((ready & 2U) != 0 && endRequested(signals)) return LabEnd{.interrupted = true};
    if ((ready & 4U) != 0)
      if (const auto received = lanes->receive(); !received) return tl::unexpected(received.error());
    if (lanes && lanes->watching() && child->held()) child->release();
    if ((ready & 1U) != 0)
      if (const auto received = child->receive(); !received) return tl::unexpected(received.error());
  }
  LabEnd end{.report = child->takeReport()};
  if (child->childFaults() > 0)
    end.report.remarks.push_back(
        fmt::format("Its child processes had {} page faults more, by its own count.", child->childFaults()));
  if (lanes) {
    for (const LaneRun& run : child->runs()) lanes->add(run);
    if (const auto finished = lanes->finish(end.report, signals.interrupt()); !finished)
      return tl::unexpected(finished.error());
  }
  const Interrupt interrupt = signals.interrupt();
  const auto seen = faultsSeen(child->pid(), common, interrupt, end);
  end.interrupted = interrupt.now();
  if (seen) end.report.seenFaults = *seen;
  else end.report.notSeen = seen.error().message;
  return end;
}

// Appends the rows of the same experiment with each malloc that is installed beside the system's.
Result<void> runOtherMallocs(const LabChildPlan& plan, const CommonOptions& common, Signals& signals, LabEnd& end) {
  const auto program = findProgram(executableFolder(), "faultline-cli");
  if (!program) return tl::unexpected(program.error());
  for (const Remedy& remedy : mallocRemedies(trialPlace(program->string()))) {
    if (remedy.absent) {
      end.report.remarks.push_back(fmt::format("{} is not measured: {}.", remedy.name, remedy.absent->why));
      continue;
    }
    LabChildPlan other = plan;
    other.malloc = remedy.name;
    other.preload = remedy.preload;
    auto more = runOnce(other, common, signals);
    if (!more) return tl::unexpected(more.error());
    end.interrupted = more->interrupted;
    if (more->interrupted) return {};
    std::ranges::move(more->report.rows, std::back_inserter(end.report.rows));
    end.report.ownFaults += more->report.ownFaults;
    if (end.report.seenFaults && more->report.seenFaults) *end.report.seenFaults += *more->report.seenFaults;
    else end.report.seenFaults.reset();
  }
  return {};
}

}  // namespace

Result<LabEnd> runExperiment(const LabExperiment& experiment, bool quick, const CommonOptions& common, Signals& signals,
                             bool lanes, const std::string& trace) {
  const std::uint64_t needs = quick ? experiment.needsQuick : experiment.needs;
  if (const auto enough = enoughMemory(experiment.name, needs, availableMemory()); !enough)
    return tl::unexpected(enough.error());
  const LabChildPlan plan{.name = std::string(experiment.name),
                          .quick = quick,
                          .traced = lanes,
                          .held = lanes,
                          .interrupt = signals.interrupt()};
  auto end = runOnce(plan, common, signals, trace);
  if (!end || end->interrupted || lanes) return end;
  if (experiment.otherMallocs)
    if (const auto run = runOtherMallocs(plan, common, signals, *end); !run) return tl::unexpected(run.error());
  if (experiment.countsFreed) checkFreed(common, end->report, signals.interrupt());
  end->interrupted |= signals.interrupt().now();
  return end;
}

}  // namespace faultline
