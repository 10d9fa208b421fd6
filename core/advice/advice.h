// Advice: what a developer can do about the frames that page faults made late or costly. Concluded from the worst
// frames and their culprits; pure. There is no advice where the faults are not on the path of the frame, or the path is
// not clear (FaultPath), where fewer than kFewestFrames frames agree, where no kind of fault has a third of them, or
// where their kind has no remedy. Nor is there advice on faults whose time the frames surely do not pay, as delays of
// faults have shown.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "core/culprits/culprits.h"
#include "core/delay/study.h"
#include "core/frames/tally.h"

namespace faultline {

enum class AdviceKind : std::uint8_t {
  Keep,          // memory is touched again after it was given back
  Prefault,      // memory is touched for the first time
  OnePiece,      // the same, in mappings that are too small for huge pages
  WholeHuge,     // parts of huge pages are given back and touched again
  NoCopies,      // pages are copied on write after fork()
  PopulateFile,  // pages of a file are mapped one by one
  KeepDevice,    // so are those of a device
  GiveBackLater  // the frame waits while memory is given back
};

// Whether malloc took the memory from the system, which the remedies of `faultline-cli try` need.
enum class ServedByMalloc : std::uint8_t { Perhaps, Yes, No };

// Of the frames that agree. Times and counts are means of a frame.
struct Advice {
  AdviceKind kind = AdviceKind::Keep;
  std::size_t frames = 0;
  bool timed = false;    // `share` is of the time in faults, else of the faults
  double share = 0;      // of those on the path of the frame: what the remedy is about
  std::string line{};    // of the game's code, that has most of them; empty: not known
  std::string memory{};  // its name: a file's path; empty: of several files
  ServedByMalloc malloc = ServedByMalloc::Perhaps;
  std::uint64_t bytes = 0;       // to populate, in all frames that were watched; else touched in one; at least
  double faults = 0;             // on the path
  std::optional<double> cost{};  // ns that these, and giving memory back, take; absent: not known
  bool late = false;             // most of these frames were late
  std::optional<double> paid{};  // share of the time in faults that frames pay, if delays of faults have shown it
  double lateness = 0;           // ns beyond the deadline or the usual, where they were
  std::optional<double> gain{};  // ns of `lateness`, else of the frame, that the remedy would save: an estimate

  bool operator==(const Advice&) const = default;
};

struct FrameEvidence {
  const JudgedFrame& judged;
  const Culprits& culprits;
};

inline constexpr std::size_t kFewestFrames = 3;

// `faultsOfAll`: in all frames that were watched. `paid`: see GameSession::paid().
[[nodiscard]] std::optional<Advice> adviceFor(std::span<const FrameEvidence> worst, std::uint64_t faultsOfAll,
                                              const std::optional<PaidShare>& paid = {});

using FindCulprits = std::function<const Culprits*(const JudgedFrame& judged)>;  // null: not found
// The same, of the worst frames of a watch.
[[nodiscard]] std::optional<Advice> adviceOn(const FrameTally& tally, const FindCulprits& culpritsOf,
                                             const std::optional<PaidShare>& paid);

}  // namespace faultline
