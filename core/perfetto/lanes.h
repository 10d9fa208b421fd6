// FaultLanes: all single faults of a process as a Perfetto trace: a lane per thread, a lane for the runs of an
// experiment, and one for the moments in which threads that waited in faults resume together.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/perfetto/fault_rows.h"
#include "core/perfetto/trace.h"

namespace faultline {

// A fault with a measured time, without its memory and code.
struct LaneFault {
  MonotonicTime end;
  Nanoseconds took{0};
  std::uint32_t thread = 0;

  [[nodiscard]] MonotonicTime begin() const { return end - took; }
};

struct LaneRun {
  std::string name;
  MonotonicTime from;
  MonotonicTime to;
};

// Several threads left faults that lasted for long at nearly the same time, and all were in them together before.
struct JointResume {
  MonotonicTime time;       // of the last one
  std::size_t threads = 0;  // at least 2

  bool operator==(const JointResume&) const = default;
};

// What one run's faults took.
struct LaneSummary {
  std::uint64_t faults = 0;  // with a measured time
  Nanoseconds median{0};
  Nanoseconds slow{0};  // one of 100 takes longer
  Nanoseconds longest{0};
  std::vector<JointResume> joint{};

  bool operator==(const LaneSummary&) const = default;
};

// A fault lasts for long from `least` on, and the ends lie within `near` of each other. Faults in any order.
[[nodiscard]] std::vector<JointResume> jointResumes(std::vector<LaneFault> faults, Nanoseconds least, Nanoseconds near);
// Of the faults that end in the run; absent: none does.
[[nodiscard]] std::optional<LaneSummary> summarizeLanes(std::span<const LaneFault> faults, const LaneRun& run);
[[nodiscard]] std::string laneText(const LaneSummary& summary);  // "16 000 faults, the median 1.2 µs, ..."

class FaultLanes {
 public:
  FaultLanes(std::uint32_t pid, std::string_view name) : m_pid(pid), m_name(name) {}

  void add(const FaultSample& sample, std::string& out);
  // After the last fault. Returns a sentence for each run with faults.
  [[nodiscard]] std::vector<std::string> finish(std::span<const LaneRun> runs, std::string& out);
  [[nodiscard]] std::uint64_t faults() const { return m_all; }

 private:
  std::uint64_t process(MonotonicTime first, std::string& out);

  std::uint32_t m_pid;
  std::string m_name;
  PerfettoTrace m_trace;
  FaultRows m_rows;
  std::vector<LaneFault> m_faults;
  std::uint64_t m_all = 0;
};

}  // namespace faultline
