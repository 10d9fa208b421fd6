#include "core/frames/worst_frames.h"

#include <catch2/catch_test_macros.hpp>

namespace faultline::test {

using namespace std::chrono_literals;

TEST_CASE("The worst frames come first, ordinary ones are omitted, and the number is limited") {
  WorstFrames worst(3);
  const auto add = [&](std::uint64_t place, Nanoseconds inFaults, bool late) {
    JudgedFrame judged;
    judged.frame.number = place;
    judged.frame.duration = 20ms;
    judged.verdict.faultTime = inFaults;
    judged.verdict.late = late;
    judged.verdict.lateByFaults = late && inFaults > 1ms;
    judged.verdict.costly = inFaults > 1ms;
    worst.add(place, judged);
  };
  const auto places = [&] {
    std::vector<std::uint64_t> all;
    for (const WorstFrames::Row& row : worst.rows()) all.push_back(row.place);
    return all;
  };
  add(1, 0ms, false);
  CHECK(worst.rows().empty());
  add(2, 3ms, true);
  add(3, 9ms, false);
  add(4, 0ms, true);
  CHECK(places() == std::vector<std::uint64_t>{2, 3, 4});
  add(5, 5ms, true);
  CHECK(places() == std::vector<std::uint64_t>{5, 2, 3});
  worst.forgetBefore(3);
  CHECK(places() == std::vector<std::uint64_t>{5, 3});
}

}  // namespace faultline::test
