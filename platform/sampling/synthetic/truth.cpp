#include "platform/sampling/synthetic/truth.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "platform/sampling/synthetic/roles.h"
#include "platform/sampling/synthetic/shapes.h"
#include "platform/sampling/synthetic/windows.h"

namespace faultline {
namespace {

constexpr std::uint64_t kPage = 4096;
constexpr std::uint64_t kMegabyte = std::uint64_t{1} << 20;
constexpr std::uint32_t kFirstPid = 900;
constexpr std::uint32_t kFirstBriefPid = 1'000'000;
constexpr Nanoseconds kTick = std::chrono::milliseconds(10);  // resolution of start times

// splitmix64.
std::uint64_t mixed(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
  value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
  return value ^ (value >> 31);
}

// The state of a slot at one instant.
struct Scene {
  const Role& role;
  Nanoseconds phase;   // offset into the role's pattern at the start
  Nanoseconds begun;   // time since the start of the process
  std::uint64_t life;  // number of the slot's process; 0 for roles other than Brief
  bool alive;
};

Scene sceneOf(const SyntheticOptions& options, std::uint32_t slot, Nanoseconds t) {
  const Role& role = roleOf(slot);
  const std::uint64_t random = mixed((std::uint64_t{options.seed} << 32) | slot);
  const Nanoseconds phase = kTick * static_cast<std::int64_t>(random % static_cast<std::uint64_t>(role.period / kTick));
  if (role.shape == Shape::Brief) {
    const Nanoseconds now = t + phase;
    const Nanoseconds begun = now % role.period;
    return {role, phase, begun, static_cast<std::uint64_t>(now / role.period), begun < role.length};
  }
  const auto age = static_cast<std::int64_t>(random >> 40 & 1023) * (options.start.sinceEpoch / 1024 / kTick) * kTick;
  return {role, phase, t + age, 0, true};
}

std::uint64_t minorCount(const Role& role, Nanoseconds t) {
  switch (role.shape) {
    case Shape::Idle:
    case Shape::Disk:
      return steadyCount(role.low, t);
    case Shape::Sine:
      return sineCount(role.low, role.high, role.period, t);
    case Shape::Step:
      return stepCount(role.low, role.high, role.period, t);
    case Shape::Burst:
      return steadyCount(role.low, t) + burstCount(role.high, role.length, role.period, t);
    case Shape::Brief:
      return steadyCount(role.high, t);
  }
  return 0;
}

std::uint64_t majorCount(const Role& role, Nanoseconds t) {
  return role.shape == Shape::Disk ? burstCount(role.high, role.length, role.period, t) : 0;
}

std::uint64_t minorFaults(const Scene& scene) {
  if (scene.role.shape == Shape::Brief) return minorCount(scene.role, scene.begun);
  return minorCount(scene.role, scene.begun + scene.phase) - minorCount(scene.role, scene.phase);
}
std::uint64_t majorFaults(const Scene& scene) {
  return majorCount(scene.role, scene.begun + scene.phase) - majorCount(scene.role, scene.phase);
}

// The used part of the role's swing memory, 0 to 1: grows with the faults, and shrinks more slowly.
double fill(const Scene& scene) {
  const Role& role = scene.role;
  const Nanoseconds at = (scene.begun + (role.shape == Shape::Brief ? Nanoseconds(0) : scene.phase)) % role.period;
  const auto part = [](Nanoseconds of, Nanoseconds whole) {
    return static_cast<double>(of.count()) / static_cast<double>(whole.count());
  };
  switch (role.shape) {
    case Shape::Idle:
      return 0;
    case Shape::Sine:
      return (1 - std::cos(2 * std::numbers::pi * part(at, role.period))) / 2;
    case Shape::Step:
      return at * 2 < role.period ? 0 : 1;
    case Shape::Brief:
      return part(at, role.length);
    case Shape::Burst:
    case Shape::Disk:
      return at < role.length ? part(at, role.length) : part(role.period - at, role.period - role.length);
  }
  return 0;
}

std::uint64_t residentBytes(const Scene& scene) {
  const double swing = fill(scene) * static_cast<double>(scene.role.swingMegabytes * kMegabyte);
  return scene.role.residentMegabytes * kMegabyte + static_cast<std::uint64_t>(swing) / kPage * kPage;
}

// Every eighth fault maps the shared zero page or a file; every thousandth gets a large page; every second page is
// given back.
void setCosts(ProcessValues& values) {
  const std::uint64_t minor = values.get(ProcessMetric::MinorFaults).value_or(0);
  const std::uint64_t major = values.get(ProcessMetric::MajorFaults).value_or(0);
  const std::uint64_t large = minor / 1000 * 2 * kMegabyte;
  const std::uint64_t zeroed = (minor - minor / 8) * kPage + large;
  values.set(ProcessMetric::ZeroedBytes, zeroed);
  values.set(ProcessMetric::ZeroedLargeBytes, large);
  values.set(ProcessMetric::LargeZeroingTime, large / 10);
  values.set(ProcessMetric::SampledZeroingTime, zeroed / 24'096'000 * 4'016'064);  // one sample at 249 Hz each
  values.set(ProcessMetric::FaultTime, minor * 870 + large / 8 + major * 190'000);
  values.set(ProcessMetric::MajorFaultTime, major * 190'000);
  values.set(ProcessMetric::FaultTimeOnProcessor, minor * 830 + large / 8 + major * 10'000);
  values.set(ProcessMetric::FaultTimeWaiting, minor * 40 + major * 5'000);
  values.set(ProcessMetric::FaultTimeBlocked, major * 175'000);
  values.set(ProcessMetric::FaultTimeOnDisk, major * 170'000);
  values.set(ProcessMetric::FaultTimeInReclaim, major * 2'000);
  values.set(ProcessMetric::FaultTimeInCompaction, large / 64);
  values.set(ProcessMetric::TimedFaults, minor + major);
  values.set(ProcessMetric::TimedMajorFaults, major);
  const std::uint64_t freed = minor / 2;  // pages
  values.set(ProcessMetric::FreedBytes, freed * kPage);
  values.set(ProcessMetric::DiscardedBytes, freed / 4 * kPage);
  values.set(ProcessMetric::TeardownTime, freed * 180);
  values.set(ProcessMetric::ReclaimedBytes, major / 8 * 32 * kPage);
}

// The times of setCosts(), of all processes of a slot since tick 0, in the buckets of these times.
void addDurations(std::uint64_t minor, std::uint64_t major, std::uint64_t lives, FaultDurations& out) {
  constexpr std::uint64_t kSmall = 870;
  constexpr std::uint64_t kLarge = kSmall + 2 * kMegabyte / 8;
  constexpr std::uint64_t kMajor = 190'000;
  const std::uint64_t large = minor / 1000;
  for (const auto& [ns, faults] : {std::pair(kSmall, minor - large), {kLarge, large}, {kMajor, major}}) {
    std::size_t bucket = 0;
    while (ns > FaultDurations::upper(bucket)) ++bucket;
    out.faults.at(bucket) += lives * faults;
    out.ns += lives * faults * ns;
  }
}

ProcessKey keyOf(const SyntheticOptions& options, std::uint32_t slot, Nanoseconds t, const Scene& scene) {
  const Nanoseconds started = std::max(options.start.sinceEpoch + t - scene.begun, Nanoseconds(0));
  const auto startTime = static_cast<std::uint64_t>(started.count());
  if (scene.role.shape != Shape::Brief) return {kFirstPid + 7 * slot, startTime};
  return {kFirstBriefPid + static_cast<std::uint32_t>(scene.life) * 97 + slot, startTime};
}

std::uint64_t memoryBytes(const SyntheticOptions& options) {
  return (16'384 + 64 * std::uint64_t{options.processes}) * kMegabyte;
}

void setSystem(const SyntheticOptions& options, Nanoseconds t, Snapshot& out) {
  std::uint64_t faults = 0;
  for (std::uint32_t slot = 0; slot < options.processes; ++slot) faults += syntheticSlotFaults(options, slot, t);
  std::uint64_t majors = 0;
  std::uint64_t resident = 0;
  std::uint64_t committed = 0;
  for (const ProcessSample& process : out.processes) {
    majors += process.values.get(ProcessMetric::MajorFaults).value_or(0);
    resident += process.values.get(ProcessMetric::ResidentBytes).value_or(0);
    committed += process.values.get(ProcessMetric::CommitBytes).value_or(0);
  }
  const std::uint64_t allocated = faults + faults / 50;
  const auto elapsed = static_cast<std::uint64_t>(t.count());
  out.system = {};
  out.system.set(SystemMetric::Faults, faults);
  out.system.set(SystemMetric::MajorFaults, majors);
  out.system.set(SystemMetric::PagesAllocated, allocated);
  out.system.set(SystemMetric::PagesFreed, allocated - allocated / 100);
  out.system.set(SystemMetric::ThpFaultsAllocated, elapsed / 400'000'000);
  out.system.set(SystemMetric::ThpFaultsFallback, elapsed / 7'000'000'000);
  out.system.set(SystemMetric::CommittedBytes, committed);
  out.system.set(SystemMetric::CommitLimitBytes, memoryBytes(options) / 4 * 3);
  out.system.set(SystemMetric::FreeBytes, (memoryBytes(options) - resident) / 3);
  out.system.set(SystemMetric::AvailableBytes, memoryBytes(options) - resident);
  out.system.set(SystemMetric::TotalBytes, memoryBytes(options));
  out.system.set(SystemMetric::CollectorCpu, elapsed / 600);
  out.system.set(SystemMetric::SweepInterval, static_cast<std::uint64_t>(options.interval.count()));
  out.system.set(SystemMetric::MissedDeadlines, 0);
  out.system.set(SystemMetric::DroppedSnapshots, 0);
  out.system.set(SystemMetric::LostExits, 0);
  out.system.set(SystemMetric::ProcessesLeftOut, 0);
}

}  // namespace

bool syntheticProcess(const SyntheticOptions& options, std::uint32_t slot, Nanoseconds t, ProcessSample& out) {
  const Scene scene = sceneOf(options, slot, t);
  if (!scene.alive) return false;
  const std::uint64_t resident = residentBytes(scene);
  out.key = keyOf(options, slot, t, scene);
  out.name.assign(scene.role.name);
  out.values = {};
  out.values.set(ProcessMetric::MinorFaults, minorFaults(scene));
  out.values.set(ProcessMetric::MajorFaults, majorFaults(scene));
  out.values.set(ProcessMetric::CommitBytes, resident + resident / 3 / kPage * kPage);
  out.values.set(ProcessMetric::ResidentBytes, resident);
  out.values.set(ProcessMetric::TouchedPrivateBytes, resident / 4 * 3 / kPage * kPage);
  out.values.set(ProcessMetric::Threads, scene.role.threads);
  out.values.set(ProcessMetric::Mappings, 60 + 12 * slot);
  out.values.set(ProcessMetric::ParentPid, slot == 0 ? 1 : kFirstPid);
  setCosts(out.values);
  return true;
}

bool syntheticExit(const SyntheticOptions& options, std::uint32_t slot, Nanoseconds t, ProcessSample& out) {
  const Role& role = roleOf(slot);
  if (role.shape != Shape::Brief) return false;
  const Nanoseconds sinceEnd = sceneOf(options, slot, t).begun - role.length;
  if (sinceEnd < Nanoseconds(0) || sinceEnd >= options.interval || sinceEnd > t) return false;
  const Nanoseconds last = t - sinceEnd - Nanoseconds(1);
  if (last < Nanoseconds(0) || !syntheticProcess(options, slot, last, out)) return false;
  out.values.set(ProcessMetric::MinorFaults, minorCount(role, role.length));
  setCosts(out.values);
  return true;
}

std::uint64_t syntheticSlotFaults(const SyntheticOptions& options, std::uint32_t slot, Nanoseconds t) {
  const Scene scene = sceneOf(options, slot, t);
  if (scene.role.shape != Shape::Brief) return minorFaults(scene) + majorFaults(scene);
  const Nanoseconds lived = std::min(scene.begun, scene.role.length);
  return scene.life * minorCount(scene.role, scene.role.length) + minorCount(scene.role, lived);
}

FaultDurations syntheticFaultDurations(const SyntheticOptions& options, Nanoseconds t) {
  FaultDurations durations;
  for (std::uint32_t slot = 0; slot < options.processes; ++slot) {
    const Scene scene = sceneOf(options, slot, t);
    if (scene.role.shape != Shape::Brief) {
      addDurations(minorFaults(scene), majorFaults(scene), 1, durations);
      continue;
    }
    addDurations(minorCount(scene.role, scene.role.length), 0, scene.life, durations);
    addDurations(minorCount(scene.role, std::min(scene.begun, scene.role.length)), 0, 1, durations);
  }
  return durations;
}

void syntheticSnapshot(const SyntheticOptions& options, std::uint64_t tick, Snapshot& out) {
  syntheticMachine(options, options.interval * static_cast<std::int64_t>(tick), out);
}

void syntheticMachine(const SyntheticOptions& options, Nanoseconds t, Snapshot& out) {
  out.time = options.start + t;
  out.wallTime = {options.wallStart.sinceEpoch + t};
  out.suspended = Nanoseconds(0);
  out.scan = Nanoseconds(0);
  std::size_t living = 0;
  for (std::uint32_t slot = 0; slot < options.processes; ++slot) {
    if (living == out.processes.size()) out.processes.emplace_back();
    if (syntheticProcess(options, slot, t, out.processes[living])) ++living;
  }
  out.processes.resize(living);
  out.exited.clear();
  ProcessSample ended;
  for (std::uint32_t slot = 0; t > Nanoseconds(0) && slot < options.processes; ++slot) {
    if (syntheticExit(options, slot, t, ended)) out.exited.push_back(ended);
  }
  std::ranges::sort(out.processes, {}, &ProcessSample::key);
  std::ranges::sort(out.exited, {}, &ProcessSample::key);
  setSystem(options, t, out);
  out.faultDurations = syntheticFaultDurations(options, t);
  if (options.windows) turnIntoWindows(t, out);
}

Hello syntheticHello(const SyntheticOptions& options) {
  Hello hello;
  hello.source = "synthetic";
  hello.clock = "virtual, one interval per sample";
  hello.interval = options.interval;
  hello.machine = {.system = "Synthetic machine",
                   .processor = "synthetic",
                   .processors = 8,
                   .memoryBytes = memoryBytes(options),
                   .pageBytes = kPage};
  const Quality synthetic = exact("synthetic, by a formula");
  const Quality missing = unavailable(std::string(kNoSuchNumber));
  Snapshot sample;
  syntheticSnapshot(options, 0, sample);
  const ProcessValues values = sample.processes.empty() ? ProcessValues() : sample.processes.front().values;
  for (const ProcessMetric metric : allProcessMetrics())
    hello.quality(metric) = values.has(metric) ? synthetic : missing;
  for (const SystemMetric metric : allSystemMetrics())
    hello.quality(metric) = sample.system.has(metric) ? synthetic : missing;
  hello.quality(ProcessMetric::ZeroingTime) =
      estimated("zeroed bytes, at 60 ns per KiB in small pages; of large ones as measured, else at 50");
  hello.quality(ProcessMetric::SampledZeroingTime) = estimated("synthetic, by a formula, too low on purpose");
  hello.zeroingCost = {.smallNsPerKib = 60, .largeNsPerKib = 50};
  if (options.windows) turnIntoWindows(hello);
  return hello;
}

}  // namespace faultline
