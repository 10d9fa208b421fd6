// CommonOptions: the options common to all subcommands.
#pragma once

#include <filesystem>

namespace faultline {

struct CommonOptions {
  std::filesystem::path collector;  // empty: chooseCollector() decides
  bool synthetic = false;           // measure the synthetic machine
  bool windows = false;             // that machine has the numbers of Windows
  bool faultTime = true;            // time page faults
  bool elevate = false;             // Windows: the collector has an administrator's rights
};

[[nodiscard]] inline bool isThisMachine(const CommonOptions& options) {
  return !options.synthetic && !options.windows;
}

}  // namespace faultline
