// A small machine at a known instant, for tests of what is drawn of it.
#pragma once

#include "core/monitor/monitor.h"

namespace faultline::test {

[[nodiscard]] Hello stagedHello();

// Three processes, sampled at 10 s and 11 s: "game" with 8 192 faults in between, "two\nlines" with a name that must
// not break a line and without a known commit, and a quiet "日本語の名前".
[[nodiscard]] Monitor stagedMonitor();

// Times of day are local: here it is UTC.
void liveInUtc();

}  // namespace faultline::test
