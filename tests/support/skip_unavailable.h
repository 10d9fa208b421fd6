// Skips a test of a number that this machine, or this user, cannot have.
#pragma once

#include <catch2/catch_test_macros.hpp>

#include "core/model/quality.h"

namespace faultline::test {

inline void skipIfUnavailable(const Quality& quality) {
  if (quality.grade == Grade::Unavailable) SKIP(quality.how);
}

}  // namespace faultline::test
