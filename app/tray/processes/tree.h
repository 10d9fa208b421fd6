// The processes shown as families or by services: the place of each in the tree, and the sums.
#pragma once

#include <set>
#include <vector>

#include "app/tray/processes/entry.h"
#include "core/monitor/monitor.h"

namespace faultline {

// Places the process below its nearest ancestor with a row; `rows` sorted.
void placeInTree(ProcessEntry& entry, const std::vector<ProcessKey>& rows, const Monitor& monitor);

// Adds the numbers of all rows below to each row, so that no row is below the sum of those below it. Counters include
// processes that have ended since Faultline was started; rates and levels are of running processes. `entries` sorted by
// key, and placed.
void sumFamilies(std::vector<ProcessEntry>& entries, const Monitor& monitor, bool standing);

// Places each process below the oldest of its service that is running, which gets the numbers of all of them; counters
// include processes that have ended since Faultline was started. Processes of unknown services stand alone. `entries`
// sorted by key.
void placeInServices(std::vector<ProcessEntry>& entries);
void sumServices(std::vector<ProcessEntry>& entries, const Monitor& monitor, bool standing);

// Sets `folds` and `folded` of each entry.
void markFolds(std::vector<ProcessEntry>& entries, const std::set<ProcessKey>& folded);

}  // namespace faultline
