#include "app/cli/lab/freed_check.h"

#include <algorithm>

#include "app/cli/lab/lab_child.h"
#include "app/cli/stream/collector.h"
#include "core/lab/experiments.h"
#include "platform/host/lab/memory.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;

// The next snapshot's values of the process. Error: the collector failed, or does not count what is given back.
Result<ProcessValues> nextValues(CollectorStream& stream, std::uint32_t pid, const Interrupt& interrupt) {
  for (;;) {
    const auto event = stream.waitForEvent(interrupt);
    if (!event) return tl::unexpected(event.error());
    if (const auto* const hello = std::get_if<Hello>(&*event)) {
      const Quality& quality = hello->quality(ProcessMetric::FreedBytes);
      if (quality.grade == Grade::Unavailable) return fail(quality.how);
    }
    const auto* const snapshot = std::get_if<const Snapshot*>(&*event);
    if (snapshot == nullptr) continue;
    const auto found =
        std::ranges::find((*snapshot)->processes, pid, [](const ProcessSample& process) { return process.key.pid; });
    if (found != (*snapshot)->processes.end()) return found->values;
  }
}

std::uint64_t faultsOf(const ProcessValues& values) {
  return values.get(ProcessMetric::MinorFaults).value_or(0) + values.get(ProcessMetric::MajorFaults).value_or(0);
}

Result<LabFreed> freedPages(CommonOptions common, const Interrupt& interrupt) {
  common.faultTime = false;
  auto child = LabChild::start(
      {.name = std::string(kFreedExperiment.name), .quick = true, .held = true, .interrupt = interrupt});
  if (!child) return tl::unexpected(child.error());
  if (!child->held()) return fail("No process can be held here until the monitor counts.");
  auto stream = CollectorStream::start(common, {.interval = 50ms, .sampling = false});
  if (!stream) return tl::unexpected(stream.error());
  const auto before = nextValues(*stream, child->pid(), interrupt);
  if (!before) return tl::unexpected(before.error());
  child->release();
  while (!child->complete()) {
    if (waitFor(child->ready(), std::nullopt, interrupt) != Waited::Ready) return fail("Interrupted.");
    if (const auto received = child->receive(); !received) return tl::unexpected(received.error());
  }
  const LabReport report = child->takeReport();
  for (;;) {
    const auto after = nextValues(*stream, child->pid(), interrupt);
    if (!after) return tl::unexpected(after.error());
    if (faultsOf(*after) < report.ownFaults) continue;  // swept before the end
    return LabFreed{.touched = report.rows.front().amount,
                    .faults = faultsOf(*after) - faultsOf(*before),
                    .freed = (after->get(ProcessMetric::FreedBytes).value_or(0) -
                              before->get(ProcessMetric::FreedBytes).value_or(0)) /
                             pageBytes()};
  }
}

}  // namespace

void checkFreed(const CommonOptions& common, LabReport& report, const Interrupt& interrupt) {
  const auto freed = freedPages(common, interrupt);
  if (freed) report.freed = *freed;
  else report.notFreed = freed.error().message;
}

}  // namespace faultline
