// The time of all processors of the machine together, since it started; and the part of it that others took.
#pragma once

#include <algorithm>

#include "core/base/units.h"

namespace faultline {

struct ProcessorsUsage {
  Nanoseconds all{0};  // with the time that the host of a virtual machine took
  Nanoseconds idle{0};
  Nanoseconds own{0};  // of this process, and on Linux of its ended children
};

// From 0 to 1: the part of the processors' time between the two in which others than this process ran.
[[nodiscard]] inline double othersShare(const ProcessorsUsage& before, const ProcessorsUsage& now) {
  const auto all = static_cast<double>((now.all - before.all).count());
  const auto known = static_cast<double>((now.idle - before.idle + now.own - before.own).count());
  return all > 0 ? std::clamp(1 - known / all, 0.0, 1.0) : 0;
}

}  // namespace faultline
