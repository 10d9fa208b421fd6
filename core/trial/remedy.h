// The remedies that `faultline-cli try` knows: settings of memory that need no change to the program.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/model/quality.h"

namespace faultline {

// By prctl(PR_SET_THP_DISABLE), before the program is executed.
enum class HugePagesForbidden {
  None,
  All,
  UnlessAdvised,  // PR_THP_DISABLE_EXCEPT_ADVISED
};

struct Remedy {
  std::string name;                    // as typed after --with
  std::string what;                    // what it does to the program; no full stop
  std::string tunables{};              // added to GLIBC_TUNABLES
  std::string preload{};               // a library, added to LD_PRELOAD
  std::string heap{};                  // FAULTLINE_HEAP, which libfaultline-heap.so reads; empty: not set
  std::vector<std::string> wrapper{};  // a program and its arguments, put before the program
  HugePagesForbidden hugePages = HugePagesForbidden::None;
  std::optional<Unavailable> absent{};  // why it cannot be tried

  bool operator==(const Remedy&) const = default;
};

// Limits of this machine and of the program.
struct TrialPlace {
  bool windows = false;  // its remedies are others, and each is a change of the program or of the whole machine
  std::optional<Unavailable> tunables{};     // why the program ignores GLIBC_TUNABLES
  std::optional<Unavailable> preload{};      // why the program ignores LD_PRELOAD
  std::optional<Unavailable> hugePages{};    // why there are no transparent huge pages
  std::optional<Unavailable> adviceAlone{};  // why huge pages cannot be forbidden unless they are advised
  std::optional<Unavailable> hugePool{};     // why malloc can take no huge pages from the system's pool
  std::optional<Unavailable> ownPreload{};   // why the program cannot load Faultline's own libraries
  std::optional<Unavailable> nodes{};        // why memory cannot be placed on nodes
  int glibcMinor = 0;                        // 36 for glibc 2.36
  // name -> path of those of mallocLibraries() that are installed, and of Faultline's own
  std::map<std::string, std::string> libraries{};
};

inline constexpr const char* kHeapLibrary = "libfaultline-heap.so";
inline constexpr const char* kFreeLibrary = "libfaultline-free-later.so";
inline constexpr std::uint64_t kPrefaultBytes = std::uint64_t{256} << 20U;

// The names by which other mallocs are installed, such as "libjemalloc.so.2".
[[nodiscard]] std::vector<std::string> mallocLibraries();
// Those of them that serve a program by another malloc.
[[nodiscard]] std::vector<Remedy> mallocRemedies(const TrialPlace& place);
// All remedies, those that cannot be tried included. `prefaultBytes`: of the heap, that "prefault" populates.
[[nodiscard]] std::vector<Remedy> remediesFor(const TrialPlace& place, std::uint64_t prefaultBytes = kPrefaultBytes);

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
