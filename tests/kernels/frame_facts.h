// A game of known frames, as the collector tells them.
#pragma once

#include "tests/kernels/judging.h"

namespace faultline::test {

void frameFacts(const Setting& setting);

}  // namespace faultline::test
