// A monitor with known values, for tests of the screen of `top` and of `doctor`.
#pragma once

#include "core/monitor/monitor.h"

namespace faultline::test {

[[nodiscard]] Hello stagedHello();

// Three processes, sampled at 10 s and 11 s: "game" with 8 192 faults in between, "two\nlines" (to be escaped) without
// a known commit, and "日本語の名前" without faults.
[[nodiscard]] Monitor stagedMonitor();

// Sets local time to UTC.
void liveInUtc();

}  // namespace faultline::test
