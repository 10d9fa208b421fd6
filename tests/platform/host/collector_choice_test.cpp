#include "platform/host/collector_choice.h"

#include <catch2/catch_test_macros.hpp>
#include <fstream>

#include "tests/support/scratch_folder.h"

using namespace faultline;

TEST_CASE("Without grants on this system, the collector beside the program is chosen") {
  const std::filesystem::path folder = test::makeScratchFolder();
  std::ofstream(folder / "faultline-collector") << "program";
  const auto chosen = chooseCollector(folder, {});
  std::filesystem::remove_all(folder);
  REQUIRE(chosen);
  CHECK(chosen->program == folder / "faultline-collector");
  CHECK(chosen->why == "Installed beside this program.");
  CHECK(chosen->enable.empty());
}
