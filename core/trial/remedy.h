// The remedies that `faultline-cli try` knows: settings of memory that need no change to the program.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/model/quality.h"

namespace faultline {

struct Remedy {
  std::string name;                     // as typed after --with
  std::string what;                     // what it does to the program; no full stop
  std::string tunables{};               // added to GLIBC_TUNABLES
  std::string preload{};                // a library, added to LD_PRELOAD
  std::vector<std::string> wrapper{};   // a program and its arguments, put before the program
  bool noHugePages = false;             // prctl(PR_SET_THP_DISABLE) before the program is executed
  std::optional<Unavailable> absent{};  // why it cannot be tried

  bool operator==(const Remedy&) const = default;
};

// Limits of this machine and of the program.
struct TrialPlace {
  std::optional<Unavailable> tunables{};           // why the program ignores GLIBC_TUNABLES
  std::optional<Unavailable> preload{};            // why the program ignores LD_PRELOAD
  std::optional<Unavailable> hugePages{};          // why there are no transparent huge pages
  std::optional<Unavailable> nodes{};              // why memory cannot be placed on nodes
  int glibcMinor = 0;                              // 36 for glibc 2.36
  std::map<std::string, std::string> libraries{};  // name -> path of those of mallocLibraries() that are installed
};

// The names by which other mallocs are installed, such as "libjemalloc.so.2".
[[nodiscard]] std::vector<std::string> mallocLibraries();
// All remedies, those that cannot be tried included.
[[nodiscard]] std::vector<Remedy> remediesFor(const TrialPlace& place);

struct EnvironmentSetting {
  std::string name;
  std::string value;

  bool operator==(const EnvironmentSetting&) const = default;
};
// The variables that the remedy sets, with the present values of GLIBC_TUNABLES and LD_PRELOAD kept.
[[nodiscard]] std::vector<EnvironmentSetting> environmentWith(const Remedy& remedy, const std::string& tunables,
                                                              const std::string& preload);
// The words that a developer types, or codes, before the program.
[[nodiscard]] std::string asTyped(const Remedy& remedy);

}  // namespace faultline
