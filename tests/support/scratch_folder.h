// A new temporary folder for files of a test. The caller removes it.
#pragma once

#include <filesystem>
#include <random>
#include <string>

namespace faultline::test {

inline std::filesystem::path makeScratchFolder() {
  const auto all = std::filesystem::temp_directory_path();
  std::random_device random;
  std::filesystem::path folder;
  do folder = all / ("faultline-test-" + std::to_string(random()));
  while (!std::filesystem::create_directory(folder));
  std::filesystem::permissions(folder, std::filesystem::perms::owner_all);
  return folder;
}

}  // namespace faultline::test
