#include "app/tray/processes/settling.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>

namespace faultline {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kRate = at(Column::MinorRate);
constexpr std::size_t kLevel = at(Column::Resident);

ProcessEntry averaged(double first, double next, Nanoseconds passed) {
  ProcessEntry entry;
  entry.values[kRate] = entry.values[kLevel] = first;
  average(entry, 1);
  entry.values[kRate] = entry.values[kLevel] = next;
  average(entry, averageWeight(passed));
  return entry;
}

}  // namespace

TEST_CASE("The average of a rate has a time constant of five seconds, and a level is not averaged") {
  const ProcessEntry entry = averaged(0, 100, 5s);
  CHECK(entry.calm[kRate].value() == Catch::Approx(100 * (1 - std::exp(-1))));
  CHECK(entry.calm[kLevel] == 100.0);
  CHECK(averaged(0, 100, Nanoseconds::max()).calm[kRate] == 100.0);
}

TEST_CASE("The average of an idle process is exactly zero after a while, and that of an ended process too") {
  CHECK(averaged(100, 0, 60s).calm[kRate] == 0.0);
  ProcessEntry ended = averaged(100, 100, 1s);
  ended.values[kRate].reset();
  ended.presence = Presence::Ended;
  average(ended, averageWeight(60s));
  CHECK(ended.calm[kRate] == 0.0);
}

}  // namespace faultline
