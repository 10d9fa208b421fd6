// What is said about two recordings beside each other: how they are aligned, and what the visible range cost in each.
#pragma once

#include <QString>
#include <optional>

#include "core/compare/sweeps.h"
#include "core/monitor/monitor.h"

namespace faultline {

enum class Alignment : int { Clock, Start, Program };

// A range of the first recording, and where the second lies on its time axis.
struct BothRuns {
  const Monitor& first;
  const Monitor& second;
  Nanoseconds shift;
  MonotonicTime from;
  MonotonicTime to;
};

// Days by which the clock of the second is set so that its time of day meets the first, in time of the user's zone: 0
// if both ran at the same time.
[[nodiscard]] Nanoseconds daysBetween(const History& first, const History& second);
// "by start"
[[nodiscard]] QString alignmentText(Alignment alignment, const QString& program);
// "is 3 h 12 min later": of the second, by its own clock.
[[nodiscard]] QString laterText(Nanoseconds later);
// Their names; folders tell files of the same name apart.
struct TwoNames {
  QString first;
  QString second;
};
[[nodiscard]] TwoNames namesOf(const QString& firstFile, const QString& secondFile);

struct TwoTotals {
  SweepTotals first;
  SweepTotals second;
};
[[nodiscard]] TwoTotals totalsOf(const BothRuns& runs, const std::optional<std::string>& only);  // as sweepTotals()
// "Page faults 12 400, beside 13 900 (+1 500), exact": of all processes, or those of one name; with their quality.
[[nodiscard]] QString sumsText(const BothRuns& runs, const TwoTotals& totals,
                               const std::optional<std::string>& program);

}  // namespace faultline
