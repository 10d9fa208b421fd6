// The findings of doctor, as text and as JSON. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/text/paint.h"
#include "core/model/hello.h"
#include "platform/host/collector_choice.h"

namespace faultline {

// Frames of a game that end in one way: `game`, or else `why` none can be watched.
struct FrameFindings {
  std::string title;
  std::optional<WatchedGame> game;
  std::string why;
};

struct Findings {
  CollectorChoice collector;
  Hello hello;
  Nanoseconds achievedInterval{0};  // mean between sweeps
  Nanoseconds scan{0};              // of the last sweep
  std::optional<double> collectorCpuShare;
  std::size_t processes = 0;
  std::uint64_t sweeps = 0;
  std::uint64_t missedDeadlines = 0;
  std::uint64_t droppedSnapshots = 0;
  std::vector<FrameFindings> frames;
  std::string costSettings{};  // see conditions.h
  std::string costWarning{};
};

// About ten lines: which numbers there are, which are missing and the line that enables them, and what measuring costs.
[[nodiscard]] std::string summaryText(const Findings& findings, int columns);
// The numbers with this text in their title or column name, of processes and the machine; empty if there is none.
[[nodiscard]] std::string numberText(const Findings& findings, std::string_view name, const Paint& paint, int columns);
[[nodiscard]] std::string reportText(const Findings& findings, const Paint& paint, int columns);
[[nodiscard]] std::string reportJson(const Findings& findings);

}  // namespace faultline
