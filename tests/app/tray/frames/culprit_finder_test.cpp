#include "app/tray/frames/culprit_finder.h"

#include <catch2/catch_test_macros.hpp>

#include "tests/app/tray/frames/some_game.h"
#include "tests/app/tray/wait_until.h"

namespace faultline {

TEST_CASE("The culprits of an old frame are found after those of 300 later frames") {
  const TestFolder folder;
  folder.write("stream", gameStream({.frames = 16'000}));
  folder.collector("stream stream\nwait");
  GameWatch watch({.pid = 4711, .name = QStringLiteral("game"), .synthetic = true}, {}, folder.path());
  CulpritFinder finder(watch);
  std::uint64_t found = 0;
  std::shared_ptr<const Culprits> ofOldest;
  QObject::connect(&finder, &CulpritFinder::foundNow,
                   [&](quint64 place, const std::shared_ptr<const Culprits>& culprits) {
                     ++found;
                     CHECK(finder.found(place) == culprits);
                     REQUIRE(culprits != nullptr);
                     CHECK(culprits->faults == 8192);
                     if (place == 49) ofOldest = culprits;
                   });
  watch.start(SampleMode::Some);
  REQUIRE(waitUntil([&] { return watch.history().end() == 16'000; }));
  for (std::uint64_t place = 99; place < 16'000; place += 50) finder.askLater(place);
  REQUIRE(waitUntil([&] { return found == 319; }));
  finder.ask(49);
  REQUIRE(waitUntil([&] { return found == 320; }));
  CHECK(ofOldest != nullptr);
}

}  // namespace faultline
