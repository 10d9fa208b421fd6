#include "platform/host/windows/present_mon.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <fstream>

#include "platform/host/programs.h"
#include "tests/support/scratch_folder.h"

using namespace faultline;
using namespace std::chrono_literals;

TEST_CASE("The newest PresentMon of the first folder that has one is found, never one in the current folder") {
  const std::filesystem::path folder = test::makeScratchFolder();
  const std::filesystem::path other = test::makeScratchFolder();
  const auto make = [](const std::filesystem::path& file, std::chrono::seconds age) {
    std::ofstream(file) << "x";
    std::filesystem::last_write_time(file, std::filesystem::file_time_type::clock::now() - age);
    return file;
  };
  CHECK_FALSE(findPresentMon({folder, folder / "missing"}));
  const auto older = make(other / "presentmon.EXE", 1000s);
  CHECK(findPresentMon({folder, other}) == older);
  make(folder / "PresentMon-1.10.0-x64.exe", 60s);
  const auto newest = make(folder / "PresentMon-2.3.1-x64.exe", 30s);
  make(folder / "PresentMonitor.txt", 1s);
  std::filesystem::create_directory(folder / "PresentMon-dir.exe");
  CHECK(findPresentMon({folder, other}) == newest);

  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder);
  CHECK_FALSE(findPresentMon({"", "."}));
  std::filesystem::current_path(before);
  std::filesystem::remove_all(folder);
  std::filesystem::remove_all(other);
}

TEST_CASE("PresentMon is looked for beside the program and where its installer puts it, by absolute paths") {
  const auto folders = presentMonFolders();
  REQUIRE(folders.size() == 3);
  CHECK(folders.front() == executableFolder());
  CHECK(std::ranges::all_of(folders, [](const auto& folder) { return folder.is_absolute(); }));
  CHECK(folders[1].filename() == "PresentMonConsoleApplication");
}
