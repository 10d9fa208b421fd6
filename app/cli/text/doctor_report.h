// The findings of doctor, as text and as JSON. Pure.
#pragma once

#include <optional>
#include <string>

#include "app/cli/text/paint.h"
#include "core/model/hello.h"
#include "platform/host/collector_choice.h"

namespace faultline {

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
};

[[nodiscard]] std::string reportText(const Findings& findings, const Paint& paint, int columns);
[[nodiscard]] std::string reportJson(const Findings& findings);

}  // namespace faultline
