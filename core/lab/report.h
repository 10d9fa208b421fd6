// LabReport: the result of one experiment of the lab: rows of repetitions, all as measured. Summaries (summary.h) and
// checks (checks.h) are derived from it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/lanes/picture.h"

namespace faultline {

// One repetition of one phase.
struct LabSample {
  Nanoseconds wall{0};                      // on a steady clock
  std::optional<Nanoseconds> processor{};   // CPU time of the thread, or of the process if the row is not `alone`
  std::uint64_t faults = 0;                 // page faults, minor and major, of the same
  std::optional<std::uint64_t> switches{};  // involuntary context switches of the same
  std::uint64_t result = 0;                 // of the computation; equal in all ways that compute the same
  std::optional<double> frequency{};        // of the processor, at the end / at the begin; absent: not seen

  bool operator==(const LabSample&) const = default;
};

// One phase of one way to do the same work.
struct LabRow {
  std::string way{};
  std::string phase{};
  std::string pages{};  // kind of the pages: "4 KiB", "2 MiB"
  std::uint64_t amount =
      0;  // work of one repetition, in `unit`: "page", "MiB", "node"; no price of one if that is empty
  std::string unit{};
  bool alone = true;                              // one thread that waits for nothing by design
  std::optional<std::uint64_t> expectedFaults{};  // by arithmetic; absent: none is known
  std::string published{};                        // figure of the post, of another machine; or empty
  std::string note{};                             // peculiarity; or, without samples, the reason
  std::vector<LabSample> samples{};               // empty: unavailable here

  bool operator==(const LabRow&) const = default;
};

// The counts of a monitor for a process that touched memory and gave it back.
struct LabFreed {
  std::uint64_t touched = 0;  // pages, all given back
  std::uint64_t faults = 0;   // of the process meanwhile, those of the program itself included
  std::uint64_t freed = 0;    // pages, likewise

  bool operator==(const LabFreed&) const = default;
};

struct LabReport {
  std::string experiment{};
  std::string title{};
  std::string machine{};  // "Linux 6.12.3, 8 processors"
  bool quick = false;
  std::uint64_t ownFaults = 0;                // of the experiment's process, without its children: getrusage(2)
  std::optional<std::uint64_t> seenFaults{};  // the same by a collector
  std::string notSeen{};                      // why not
  std::optional<LabFreed> freed{};            // of cost
  std::string notFreed{};                     // why not; empty if it was not asked
  // Of the time of all processors, the part in which other programs ran meanwhile, from 0 to 1; absent: not measured.
  std::optional<double> others{};
  std::vector<std::string> remarks{};  // sentences
  std::vector<LabRow> rows{};
  std::vector<LanePicture> lanes{};  // of the runs of an experiment that is traced

  bool operator==(const LabReport&) const = default;

  // The row with samples of this way and phase, or null.
  [[nodiscard]] const LabRow* find(std::string_view way, std::string_view phase) const {
    for (const LabRow& row : rows)
      if (row.way == way && row.phase == phase && !row.samples.empty()) return &row;
    return nullptr;
  }
};

}  // namespace faultline
