// The processes on show as families: who stands under whom, and what each has cost with all that it started.
#pragma once

#include <set>
#include <vector>

#include "app/tray/processes/entry.h"
#include "core/monitor/monitor.h"

namespace faultline {

// Under the nearest of those that it comes from which has a row; `rows` sorted.
void placeInTree(ProcessEntry& entry, const std::vector<ProcessKey>& rows, const Monitor& monitor);

// Adds to each row's numbers those of all below it. Counters hold those that have ended too, since Faultline watches;
// rates and levels are of who is there. `entries` sorted by key, and placed.
void sumFamilies(std::vector<ProcessEntry>& entries, const Monitor& monitor, bool standing);

// Says of each entry whether others stand below it, and whether it is folded.
void markFolds(std::vector<ProcessEntry>& entries, const std::set<ProcessKey>& folded);

}  // namespace faultline
