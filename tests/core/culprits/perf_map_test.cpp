#include "core/culprits/perf_map.h"

#include <catch2/catch_test_macros.hpp>

namespace faultline::test {

TEST_CASE("Generated code has the name that its program wrote for perf") {
  PerfMap map;
  const std::string_view text =
      "7f0000001000 40 LazyCompile:*update /game/world.js:12\n"
      "0x7f0000001040 0x10 py::step:/game/step.py\n"
      "7f0000002000 20 unfinis";
  CHECK(map.add(text) == text.find("7f0000002000"));
  CHECK(map.at(0x7f0000001000) == "LazyCompile:*update /game/world.js:12");
  CHECK(map.at(0x7f000000103f) == "LazyCompile:*update /game/world.js:12");
  CHECK(map.at(0x7f0000001040) == "py::step:/game/step.py");
  CHECK(map.at(0x7f0000001050).empty());
  CHECK(map.at(0x7f0000000fff).empty());
  CHECK(map.at(0x7f0000002000).empty());
}

TEST_CASE("Code that is generated where other code was takes its addresses") {
  PerfMap map;
  map.add("1000 100 first\n1100 100 second\n1200 100 third\n");
  map.add("1080 200 new\n");
  CHECK(map.at(0x107f) == "first");
  CHECK(map.at(0x1080) == "new");
  CHECK(map.at(0x127f) == "new");
  CHECK(map.at(0x1280) == "third");
  map.add("10c0 10 inside\n");
  CHECK(map.at(0x10bf) == "new");
  CHECK(map.at(0x10c0) == "inside");
  CHECK(map.at(0x10d0) == "new");
  map.add("1000 300 all\n");
  CHECK(map.at(0x1000) == "all");
  CHECK(map.at(0x12ff) == "all");
}

TEST_CASE("Invalid lines of a perf map name nothing") {
  PerfMap map;
  map.add("\n \n10\n10 \n10 10\n10 10 \nzz 10 a\n10 zz b\n10 0 empty\nfffffffffffffff0 20 wraps\n-1 10 negative\n");
  for (const std::uint64_t address : {std::uint64_t{0}, std::uint64_t{0x10}, std::uint64_t{0x18}, UINT64_MAX})
    CHECK(map.at(address).empty());
  map.add("10 10 " + std::string(1000, 'x') + "\n");
  CHECK(map.at(0x10).size() == 255);
}

}  // namespace faultline::test
