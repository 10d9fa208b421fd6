#include "platform/sampling/linux/facts/init_on_alloc.h"

#include <unistd.h>
#include <zlib.h>

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>

#include "platform/sampling/linux/bpf/zeroed_quality.h"

using namespace faultline;

TEST_CASE("The command line decides whether all pages are cleared, else the configuration decides") {
  constexpr auto kOn = "# x\nCONFIG_INIT_ON_ALLOC_DEFAULT_ON=y\n";
  constexpr auto kOff = "# x\n# CONFIG_INIT_ON_ALLOC_DEFAULT_ON is not set\n";
  CHECK(initOnAlloc("quiet\n", kOn) == true);
  CHECK(initOnAlloc("quiet\n", kOff) == false);
  CHECK(initOnAlloc("quiet\n", "") == std::nullopt);
  CHECK(initOnAlloc("quiet init_on_alloc=1\n", kOff) == true);
  CHECK(initOnAlloc("init_on_alloc=on quiet\n", kOff) == true);
  CHECK(initOnAlloc("init_on_alloc=off\n", kOn) == false);
  CHECK(initOnAlloc("init_on_alloc=off\n", "") == false);
  CHECK(initOnAlloc("init_on_alloc=1 init_on_alloc=0", kOn) == false);
}

TEST_CASE("The kernel's configuration is the first file that can be read, compressed or not") {
  const auto folder = std::filesystem::temp_directory_path() / ("faultline-configuration-" + std::to_string(getpid()));
  std::filesystem::create_directory(folder);
  const std::string plain = folder / "config";
  const std::string compressed = folder / "config.gz";
  const std::string broken = folder / "broken.gz";
  std::ofstream(plain) << "CONFIG_A=y\n";
  gzFile file = gzopen(compressed.c_str(), "wb");
  gzputs(file, "CONFIG_B=y\n");
  gzclose(file);
  std::ofstream(broken) << "\x1f\x8b\x08";
  using Files = std::array<std::string, 2>;
  CHECK(kernelConfiguration(Files{plain, compressed}) == "CONFIG_A=y\n");
  CHECK(kernelConfiguration(Files{folder / "none", compressed}) == "CONFIG_B=y\n");
  CHECK(kernelConfiguration(Files{broken, plain}) == "CONFIG_A=y\n");
  CHECK(kernelConfiguration(Files{folder / "none", broken}).empty());
  std::filesystem::remove_all(folder);
}

TEST_CASE("The quality of zeroed bytes says lower bound, upper bound, or not known to be complete") {
  CHECK(zeroedQuality(false, false).grade == Grade::Estimated);
  CHECK(zeroedQuality(false, false).how.ends_with("a lower bound"));
  CHECK(zeroedQuality(true, false).how.find("every page that it hands out") != std::string::npos);
  CHECK(zeroedQuality(true, true).how.find("an upper bound") != std::string::npos);
  CHECK(zeroedQuality(std::nullopt, false).how.find("not known") != std::string::npos);
}
