#include "platform/host/costs/calibration_file.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <fstream>
#include <set>
#include <string>

#include "platform/host/costs/conditions.h"
#include "platform/host/processes.h"

using namespace faultline;

namespace {

class CostsFolder {
 public:
  CostsFolder() : m_path(std::filesystem::temp_directory_path() / ("calibration-" + std::to_string(ownProcess()))) {}
  ~CostsFolder() { std::filesystem::remove_all(m_path); }
  CostsFolder(const CostsFolder&) = delete;
  CostsFolder& operator=(const CostsFolder&) = delete;
  [[nodiscard]] std::filesystem::path file() const { return m_path / "deep" / "calibration.json"; }

 private:
  std::filesystem::path m_path;
};

Calibration some(std::string processor) {
  Calibration calibration;
  calibration.place = {.system = "Linux", .processor = std::move(processor), .processors = 2};
  calibration.touch.median = 500;
  return calibration;
}

}  // namespace

TEST_CASE("A calibration is kept for each machine, and nothing else is left beside it") {
  const CostsFolder folder;
  const Calibration here = some("P");
  CHECK_FALSE(loadCalibration(folder.file(), here.place));
  REQUIRE(saveCalibration(folder.file(), here));
  REQUIRE(saveCalibration(folder.file(), some("Q")));
  CHECK(loadCalibration(folder.file(), here.place) == here);
  CHECK(loadCalibration(folder.file(), some("Q").place) == some("Q"));
  CHECK_FALSE(loadCalibration(folder.file(), some("R").place));
  const std::filesystem::directory_iterator files(folder.file().parent_path());
  CHECK(std::distance(begin(files), end(files)) == 1);
}

TEST_CASE("The draft of a program that was killed is removed by the next one that keeps a calibration") {
  const CostsFolder folder;
  REQUIRE(saveCalibration(folder.file(), some("P")));
  const std::filesystem::path near = folder.file().parent_path();
  const auto draft = [&](const char* name, std::chrono::seconds age) {
    std::ofstream(near / name) << "{";
    std::filesystem::last_write_time(near / name, std::filesystem::file_time_type::clock::now() - age);
  };
  draft("calibration.json.4711", std::chrono::hours(1));
  draft("calibration.json.4712", std::chrono::seconds(0));  // of a program that writes at this moment
  draft("calibration.json.old", std::chrono::hours(1));     // the user's
  draft("settings.json.4711", std::chrono::hours(1));
  REQUIRE(saveCalibration(folder.file(), some("Q")));
  std::set<std::string> left;
  for (const auto& each : std::filesystem::directory_iterator(near)) left.insert(each.path().filename().string());
  CHECK(left == std::set<std::string>{"calibration.json", "calibration.json.4712", "calibration.json.old",
                                      "settings.json.4711"});
}

TEST_CASE("A damaged file of calibrations counts as none, and a folder that cannot be made is told") {
  const CostsFolder folder;
  REQUIRE(saveCalibration(folder.file(), some("P")));
  std::ofstream(folder.file(), std::ios::trunc) << "{";
  CHECK_FALSE(loadCalibration(folder.file(), some("P").place));
  REQUIRE(saveCalibration(folder.file(), some("P")));
  CHECK(loadCalibration(folder.file(), some("P").place));
  const auto below = saveCalibration(folder.file() / "below" / "calibration.json", some("P"));
  REQUIRE_FALSE(below);
  CHECK(below.error().message.find("cannot be written") != std::string::npos);
  CHECK_FALSE(saveCalibration({}, some("P")));
}

TEST_CASE("The settings that a calibration depends on are the same twice") {
  CHECK(costSettings() == costSettings());
}
