// CommonOptions: what comes before the subcommand.
#pragma once

#include <filesystem>

namespace faultline {

struct CommonOptions {
  std::filesystem::path collector;  // empty: looked for beside this program
  bool demo = false;
  bool faultTime = true;
};

}  // namespace faultline
