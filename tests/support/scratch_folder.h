// A new folder for files of a test. Its owner removes it.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>

namespace faultline::test {

inline std::filesystem::path makeScratchFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "faultline-test-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error(name + " cannot be made");
  return name;
}

}  // namespace faultline::test
