#include "app/cli/usage/suggestion.h"

#include <catch2/catch_test_macros.hpp>

using namespace faultline;

TEST_CASE("The distance of two words counts letters that are missing, added, other or exchanged") {
  CHECK(distance("record", "record") == 0);
  CHECK(distance("recrd", "record") == 1);
  CHECK(distance("reccord", "record") == 1);
  CHECK(distance("rekord", "record") == 1);
  CHECK(distance("recrod", "record") == 1);
  CHECK(distance("", "top") == 3);
}

TEST_CASE("The name that is meant is suggested, and none where none is near") {
  const std::vector<std::string> names{"top", "snapshot", "record", "--interval", "-i"};
  CHECK(nearest("snapsho", names) == "snapshot");
  CHECK(nearest("--intervall", names) == "--interval");
  CHECK(nearest("recrod", names) == "record");
  for (const std::string word : {"", "-", "-x", "to", "make", "--whatever", "/usr/bin/make"})
    CHECK(nearest(word, names).empty());
}
