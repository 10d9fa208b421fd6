// How much a fault takes longer while it is timed, by the function that serves it and by the perf event of its
// accounting: rounds of both and of neither take turns. Root's to call, where perf events may be opened.
#pragma once

#include "tests/kernels/judging.h"

namespace faultline::test {

void probeCost(const Setting& setting);

}  // namespace faultline::test
