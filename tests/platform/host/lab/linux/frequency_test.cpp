#include "platform/host/lab/frequency.h"

#include <catch2/catch_test_macros.hpp>
#include <fstream>
#include <thread>

#include "tests/support/scratch_folder.h"

using namespace faultline;

TEST_CASE("The frequency of the processor that runs this thread is read, and absent where there is none") {
  const std::filesystem::path folder = test::makeScratchFolder();
  CHECK_FALSE(processorFrequency(folder.c_str()));
  const auto write = [&](const char* text) {
    for (unsigned i = 0; i < std::max(64U, std::thread::hardware_concurrency()); ++i) {
      const auto place = folder / ("cpu" + std::to_string(i)) / "cpufreq";
      std::filesystem::create_directories(place);
      std::ofstream(place / "scaling_cur_freq") << text;
    }
  };
  write("3400000\n");
  CHECK(processorFrequency(folder.c_str()) == 3'400'000);
  write("<unknown>\n");
  CHECK_FALSE(processorFrequency(folder.c_str()));
  std::filesystem::remove_all(folder);
}
