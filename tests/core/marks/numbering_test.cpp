#include "core/marks/numbering.h"

#include <catch2/catch_test_macros.hpp>

namespace faultline::test {
namespace {

FrameMark markAt(int time, std::uint32_t thread = 7, std::uint64_t number = 0) {
  FrameMark mark;
  mark.number = number;
  mark.thread = thread;
  mark.time = MonotonicTime{Nanoseconds(time)};
  return mark;
}

}  // namespace

TEST_CASE("a measurement gets the number of its thread's mark") {
  MarkNumbering numbering;
  numbering.noted(markAt(10, 7, 1));
  numbering.noted(markAt(12, 8, 51));
  numbering.noted(markAt(20, 7, 2));
  numbering.measured(markAt(13, 7));
  numbering.measured(markAt(14, 8));
  numbering.measured(markAt(21, 7));
  CHECK(numbering.next()->number == 1);
  CHECK(numbering.next()->number == 51);
  CHECK(numbering.next()->number == 2);
  CHECK_FALSE(numbering.next());
}

TEST_CASE("a measurement outside a mark belongs to no mark") {
  MarkNumbering numbering;
  numbering.measured(markAt(5));
  numbering.noted(markAt(10, 7, 1));
  numbering.measured(markAt(11));
  numbering.measured(markAt(15));
  const auto first = numbering.next();
  REQUIRE(first);
  CHECK(first->number == 1);
  CHECK(first->time == markAt(11).time);
  CHECK_FALSE(numbering.next());
  numbering.noted(markAt(20, 7, 2));
  numbering.measured(markAt(21));
  CHECK(numbering.next()->time == markAt(21).time);
}

TEST_CASE("a measurement waits for a mark that arrives later") {
  MarkNumbering numbering;
  numbering.noted(markAt(10, 7, 1));
  numbering.measured(markAt(11));
  CHECK(numbering.next()->number == 1);
  numbering.measured(markAt(21));
  CHECK_FALSE(numbering.next());
  numbering.noted(markAt(20, 7, 2));
  CHECK(numbering.next()->number == 2);
}

}  // namespace faultline::test
