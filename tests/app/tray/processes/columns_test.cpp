#include "app/tray/processes/columns.h"

#include <catch2/catch_test_macros.hpp>
#include <set>

using namespace faultline;

TEST_CASE("Every column of the process table has a place, a number of its own and a width") {
  std::set<std::size_t> numbers;
  for (const Column column : columnOrder()) {
    CHECK(at(column) < kColumnCount);
    CHECK(numbers.insert(at(column)).second);
    CHECK_FALSE(columnInfo(column).widest.empty());
    CHECK_FALSE(columnMeaning(column).isEmpty());
  }
  CHECK(numbers.size() == kColumnCount);
}
