// FrameLedger: how the thread that ends a frame spent it, in ns. Waiting, sleeping and running, and the memory time of
// the thread itself, add up to the frame. Pure.
#pragma once

#include <algorithm>
#include <optional>

#include "core/model/game_frame.h"

namespace faultline {

struct FrameLedger {
  // Of all threads, measured or estimated; absent if neither is possible.
  std::optional<Nanoseconds> cost{};
  double lasted = 0;
  double faults = 0;          // on the path, without waits for a processor
  double teardown = 0;        // the same, of giving memory back
  double awaited = 0;         // of both: in other threads
  double unseen = 0;          // of running: the parts of measured faults that no program can time
  double awaitedWaiting = 0;  // of sleeping: while the threads for which it waited did so for a processor
  double sampling = 0;        // of running: in which Faultline sampled the thread's faults
  double estimated = 0;       // of faults
  double waiting = 0;         // for a processor
  double behind = 0;          // of waiting: while one other program ran there (WaitedBehind)
  double sleeping = 0;        // in all
  double running = 0;         // the rest
  double nobody = 0;          // of sleeping: not for another thread of the game, as far as that is known
  double ofOthers = 0;        // inside the faults of other threads, if nothing tells whether the thread waited for them
  double untimedMajors = 0;   // major faults of all threads, where no time of faults is measured
  std::optional<double> freed{};  // bytes, by all threads
  bool measured = false;          // the thread's own time
  bool timed = false;             // the time of faults is measured
  bool teardownKnown = false;
  bool ownUnknown = false;  // faults may be those of other threads
  bool pathKnown = false;   // for whose faults the thread waited is known, too

  // On the path, or of all threads where the path is unknown and the cost is not.
  [[nodiscard]] double faultTime() const { return pathKnown || !cost ? faults : inNs(*cost); }
  [[nodiscard]] double memory() const { return faults + teardown; }
  // Of the waits for a processor: what comes with a part of the thread's running, and of that of threads for which it
  // waited, as a thread that runs for longer waits for longer.
  [[nodiscard]] double waitsWith(double own, double ofAwaited = 0) const {
    const auto share = [](double waits, double part, double ran) {
      return ran > 0 ? waits * std::min(part / ran, 1.0) : 0;
    };
    return share(waiting, own, lasted - waiting - sleeping) +
           share(awaitedWaiting, ofAwaited, sleeping - nobody - awaitedWaiting);
  }
  // Without Faultline's own time.
  [[nodiscard]] double busy(bool paced) const { return (paced && measured ? lasted - nobody : lasted) - sampling; }
};

// `nsPerFault`: cost of a minor fault, where its time is not measured.
[[nodiscard]] FrameLedger ledgerOf(const GameFrame& frame, std::optional<double> nsPerFault);

}  // namespace faultline
