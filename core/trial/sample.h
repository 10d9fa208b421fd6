// One run of a program that `faultline-cli try` or `stat` started.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/base/units.h"
#include "core/frames/figures.h"

namespace faultline {

// Counts and CPU time are those of the program and of all processes that it started, until all of them ended.
struct TrialSample {
  Nanoseconds wall{0};  // from before the program was executed until it ended
  Nanoseconds processor{0};
  Nanoseconds system{0};           // the part of `processor` in the kernel, as far as its ticks tell
  std::optional<double> waited{};  // share of `wall` in which the first thread could run and had no processor
  std::uint64_t minorFaults = 0;
  std::uint64_t majorFaults = 0;
  std::uint64_t startFaults = 0;  // not in these: of the program's process, before it executed the program
  std::uint64_t peakBytes = 0;    // resident, of the largest single process
  bool peakAtMost = false;  // `peakBytes` is an upper bound: the program needed less than the process that started it
  std::optional<std::uint64_t> unwaitedFaults{};   // in them, of processes that nobody waited for; absent: not counted
  std::string noGroup{};                           // why they were not counted, as a clause
  std::optional<std::uint64_t> groupPeakBytes{};   // of all processes together, with file cache and kernel memory
  std::optional<std::uint64_t> peakCommitBytes{};  // of all processes together, at least; absent: the run was too short
  std::optional<std::uint64_t> processes{};        // in all; absent: not counted
  // Counted by a job of Windows: `minorFaults` has the major ones, too, and a number that is 0 is not known.
  bool byJob = false;
  int code = 0;
  int signal = 0;      // that killed the program, or 0
  bool ended = false;  // after a time that was asked for: code, signal and output tell nothing
  std::uint64_t outputBytes = 0;
  std::uint64_t outputHash = 0;          // of standard output (FNV-1a)
  std::string output{};                  // its beginning, at most kKeptOutput bytes, where it may be shown
  std::optional<FrameFigures> frames{};  // if they were watched, and there were some

  bool operator==(const TrialSample&) const = default;
};

// Another load took the processor from the program for more than a tenth of the run.
[[nodiscard]] inline bool disturbed(const TrialSample& sample) {
  return sample.waited.value_or(0) > 0.1;
}

inline constexpr std::size_t kKeptOutput = std::size_t{1} << 16U;

// The hash of a text that comes in pieces: pass the hash of the pieces before.
inline constexpr std::uint64_t kEmptyHash = 0xcbf29ce484222325;
template <class Bytes>
[[nodiscard]] std::uint64_t hashOn(std::uint64_t hash, const Bytes& bytes) {
  for (const auto byte : bytes) hash = (hash ^ static_cast<std::uint8_t>(byte)) * 0x100000001b3;
  return hash;
}

}  // namespace faultline
