// SweepSum: what the processes of a recording cost, by their names, to be compared with another recording. One
// recording each does not tell how far equal ones lie apart, so nothing is judged.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/compare/columns.h"
#include "core/history/history.h"

namespace faultline {

struct SweepTotals {
  Nanoseconds duration{0};  // between the first sweep and the last
  ProcessDeltas everyone{};
  std::map<std::string, ProcessDeltas> byName{};
};

class SweepSum {
 public:
  void add(const Hello& hello);
  void add(const Snapshot& snapshot);
  [[nodiscard]] const SweepTotals& totals() const { return m_totals; }

 private:
  Hello m_hello;
  Snapshot m_previous;
  bool m_hasPrevious = false;
  Moment m_moment;
  SweepTotals m_totals;
};

// Over a part of a recording; its duration is that of the samples in it. `everyone` is without Faultline's own. `only`:
// the one name that is summed up, which takes little time; empty: none.
[[nodiscard]] SweepTotals sweepTotals(const History& history, MonotonicTime from, MonotonicTime to,
                                      const std::optional<std::string>& only = {});

// The sums of all processes, and the names whose page faults differ most.
[[nodiscard]] std::vector<ComparedNumber> comparedNumbers(const SweepTotals& before, const SweepTotals& after);
[[nodiscard]] std::string sweepsText(const SweepTotals& before, const SweepTotals& after);
[[nodiscard]] std::string sweepsJson(const SweepTotals& before, const SweepTotals& after);

}  // namespace faultline
