#include "platform/host/programs.h"

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>

#include "tests/support/scratch_folder.h"

using namespace faultline;

namespace {

struct Prefix {
  std::filesystem::path root = test::makeScratchFolder();
  std::filesystem::path bin = root / "bin";
  Prefix() { std::filesystem::create_directories(bin); }
  ~Prefix() { std::filesystem::remove_all(root); }
  void put(const std::filesystem::path& file) const {
    std::filesystem::create_directories((root / file).parent_path());
    std::ofstream(root / file) << "#!";
  }
};

}  // namespace

TEST_CASE("This program's own folder is known") {
  CHECK(findProgram(executableFolder(), "test_platform"));
}

TEST_CASE("The collector is found beside the program first, else in libexec") {
  const Prefix prefix;
  prefix.put("libexec/faultline/faultline-collector");
  CHECK(findCollector(prefix.bin) == prefix.root / "libexec/faultline/faultline-collector");
  prefix.put("bin/faultline-collector");
  CHECK(findCollector(prefix.bin) == prefix.bin / "faultline-collector");
}

TEST_CASE("The error for a missing collector names the folders that were searched") {
  const Prefix prefix;
  const auto missing = findCollector(prefix.bin);
  REQUIRE_FALSE(missing);
  CHECK(missing.error().message.find(prefix.bin.string()) != std::string::npos);
  CHECK(missing.error().message.find((prefix.root / "libexec").string()) != std::string::npos);
}

TEST_CASE("The CPU time of this process grows with work") {
  const Nanoseconds before = ownCpuTime();
  volatile std::uint64_t sum = 0;
  while (ownCpuTime() == before)
    for (std::uint64_t i = 0; i < 1000; ++i) sum = sum + i;
  CHECK(ownCpuTime() > before);
}
