// A moment with names and values that are hard to export.
#pragma once

#include <string>
#include <vector>

#include "core/history/rates.h"

namespace faultline::test {

[[nodiscard]] std::vector<std::string> nastyNames();
// One process per name, pids from 1. Minor faults are huge and have a delta of 21 in 2 s; commit is unavailable.
[[nodiscard]] Moment nastyMoment();

}  // namespace faultline::test
