#include "platform/host/lab/usage.h"

#include <sys/resource.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include "core/parse/machine_load.h"
#include "platform/system/posix/clock.h"

namespace faultline {
namespace {

Nanoseconds timeOf(const timeval& value) {
  return Nanoseconds(std::chrono::seconds(value.tv_sec)) + std::chrono::microseconds(value.tv_usec);
}

void add(int who, LabUsage& usage) {
  rusage counted{};
  getrusage(who, &counted);
  if (who == RUSAGE_THREAD) usage.system = timeOf(counted.ru_stime);
  const auto faults = static_cast<std::uint64_t>(counted.ru_minflt + counted.ru_majflt);
  usage.faults += faults;
  if (who == RUSAGE_CHILDREN) usage.childFaults = faults;
  usage.switches = usage.switches.value_or(0) + static_cast<std::uint64_t>(counted.ru_nivcsw);
}

Nanoseconds childrensTime() {
  rusage counted{};
  getrusage(RUSAGE_CHILDREN, &counted);
  return timeOf(counted.ru_utime) + timeOf(counted.ru_stime);
}

}  // namespace

LabUsage threadUsage() {
  LabUsage usage{.wall = readClock(CLOCK_MONOTONIC), .processor = readClock(CLOCK_THREAD_CPUTIME_ID)};
  add(RUSAGE_THREAD, usage);
  return usage;
}

LabUsage processUsage() {
  LabUsage usage{.wall = readClock(CLOCK_MONOTONIC),
                 .processor = readClock(CLOCK_PROCESS_CPUTIME_ID) + childrensTime()};
  add(RUSAGE_SELF, usage);
  add(RUSAGE_CHILDREN, usage);
  return usage;
}

std::optional<ProcessorsUsage> processorsUsage() {
  std::ifstream file("/proc/stat");
  std::string line;
  std::getline(file, line);
  const auto ticks = parseProcessorTicks(line + "\n");
  if (!ticks) return std::nullopt;
  const Nanoseconds tick = Nanoseconds(std::chrono::seconds(1)) / sysconf(_SC_CLK_TCK);
  return ProcessorsUsage{.all = static_cast<std::int64_t>(ticks->all) * tick,
                         .idle = static_cast<std::int64_t>(ticks->idle) * tick,
                         .own = *processUsage().processor};
}

}  // namespace faultline
