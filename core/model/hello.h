// Hello: the first packet of every stream: the collector, its machine and clock, and the quality of each number.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/units.h"
#include "core/model/metric.h"
#include "core/model/quality.h"
#include "core/model/values.h"
#include "core/model/watch_request.h"

namespace faultline {

struct Machine {
  std::string system;  // "Debian GNU/Linux 12, Linux 6.1.0-18-amd64"
  std::string processor;
  std::uint32_t processors = 0;
  std::uint64_t memoryBytes = 0;
  std::uint64_t pageBytes = 0;

  bool operator==(const Machine&) const = default;
};

// Cost of clearing memory on this machine, measured when the collector started: ns per KiB in small and large pages.
struct ZeroingCost {
  double smallNsPerKib = 0;
  double largeNsPerKib = 0;

  bool operator==(const ZeroingCost&) const = default;
};

// The game of a stream of source "watch", the event that ends its frames, and the quality of their numbers.
struct WatchedGame {
  std::uint32_t pid = 0;
  std::string name;  // of the process; bytes from the kernel
  FrameEnd by = FrameEnd::OwnMarks;
  std::string mark;                  // name of the mark or function; empty: none has come yet
  std::vector<std::string> marks{};  // all of the game's own marks, in the order in which it has set them
  Quality faults;                    // fault counts of each frame
  Quality zeroed{};                  // zeroed bytes of each frame
  Quality faultTime{};               // time inside faults of each frame
  Quality faultParts{};              // the parts of that time
  Quality faultEfforts{};            // reclaim and compaction in that time
  Quality teardown{};                // time in which memory was given back, of each frame
  Quality freed{};                   // bytes given back in each frame
  Quality path{};                    // what the thread that ends frames waited for
  Quality samples{};                 // single faults, sent as FaultSample; `how` names the selection
  std::optional<Quality> delay{};    // of the delays added to faults; absent: none were asked for
  // The function that a watched lookup (ProbeCalls::Lookups) has handed the game to present frames with; absent: none.
  std::optional<ProbePoint> handedOut{};
  // Cost of a minor fault for a small page, for estimates: as the collector measured when watching began, or as this
  // user has it measured (GameClientOptions::price).
  std::optional<double> nsPerFault;

  bool operator==(const WatchedGame&) const = default;
};

// The qualities of a frame's numbers and of its single faults; that of delays stands apart.
struct FrameQuality {
  std::string_view name;     // on the wire and in JSON
  std::string_view title;    // in a list
  std::string_view numbers;  // in a sentence, in the plural
  Quality WatchedGame::* quality;
};
inline constexpr std::array kFrameQualities{
    FrameQuality{"faults", "Faults", "faults", &WatchedGame::faults},
    FrameQuality{"zeroed", "Zeroed", "zeroed bytes", &WatchedGame::zeroed},
    FrameQuality{"fault_time", "Fault time", "measured times in faults", &WatchedGame::faultTime},
    FrameQuality{"fault_parts", "Its parts", "their parts", &WatchedGame::faultParts},
    FrameQuality{"fault_efforts", "Reclaim, compaction", "times of reclaim and compaction", &WatchedGame::faultEfforts},
    FrameQuality{"teardown", "Giving memory back", "times of giving memory back", &WatchedGame::teardown},
    FrameQuality{"freed", "Freed", "freed bytes", &WatchedGame::freed},
    FrameQuality{"path", "Awaited threads", "waits for other threads", &WatchedGame::path},
    FrameQuality{"samples", "Single faults", "single faults", &WatchedGame::samples},
};
// All but that of the faults, which is the game's own on the wire, in JSON and in reports.
inline constexpr std::span kFurtherFrameQualities(&kFrameQualities[1], kFrameQualities.size() - 1);

struct Hello {
  std::string version;  // of the program that measured
  std::string source;   // "sweep", "synthetic", "watch"
  std::string clock;    // "CLOCK_MONOTONIC"
  Nanoseconds interval{0};
  std::uint32_t collectorPid = 0;
  Machine machine;
  std::optional<ZeroingCost> zeroingCost;
  std::optional<WatchedGame> watched;
  std::array<Quality, kProcessMetricCount> process;
  std::array<Quality, kSystemMetricCount> system;

  bool operator==(const Hello&) const = default;

  [[nodiscard]] const Quality& quality(ProcessMetric metric) const { return process[static_cast<std::size_t>(metric)]; }
  [[nodiscard]] const Quality& quality(SystemMetric metric) const { return system[static_cast<std::size_t>(metric)]; }
  [[nodiscard]] Quality& quality(ProcessMetric metric) { return process[static_cast<std::size_t>(metric)]; }
  [[nodiscard]] Quality& quality(SystemMetric metric) { return system[static_cast<std::size_t>(metric)]; }
};

// The snapshots of both follow each other: a recording that was cut in two has a Hello in either part.
[[nodiscard]] inline bool isOfSameCollector(const Hello& one, const Hello& other) {
  return one.collectorPid != 0 && one.collectorPid == other.collectorPid && one.source == other.source &&
         one.interval == other.interval;
}

// The time that was planned between a snapshot and the one before: a collector may sweep faster for a while. At most an
// hour, whatever a damaged stream tells.
[[nodiscard]] inline Nanoseconds plannedInterval(const Hello& hello, const SystemValues& system) {
  constexpr Nanoseconds kLongest = std::chrono::hours(1);
  const auto told = system.get(SystemMetric::SweepInterval);
  if (!told) return hello.interval;
  return *told < static_cast<std::uint64_t>(kLongest.count()) ? Nanoseconds(static_cast<std::int64_t>(*told))
                                                              : kLongest;
}

// Sets the quality of the metrics that `system` lacks.
inline void markMissing(Systems system, Hello& hello) {
  const auto mark = [&](const auto& row) {
    if (row.systems != Systems::All && row.systems != system)
      hello.quality(row.metric) = unavailable(std::string(kNoSuchNumber));
  };
  for (const auto& row : kProcessFields) mark(row);
  for (const auto& row : kSystemFields) mark(row);
}

}  // namespace faultline
