// CollectorEnd: how a collector ended, for a person.
#pragma once

#include <string>
#include <string_view>

#include "core/base/units.h"

namespace faultline {

struct CollectorEnd {
  std::string said;      // the last line that it wrote to standard error, without its name; or empty
  std::string sentence;  // tells everything

  bool operator==(const CollectorEnd&) const = default;
};

// A collector with probes in a game that is stopped for longer than that is ended by the system, and the probes with
// it.
constexpr Nanoseconds kLongestStandstill = std::chrono::seconds(10);

// What is known about a collector that a signal has killed.
struct CollectorKill {
  int signal = 0;           // as Linux numbers it
  bool memoryWent = false;  // meanwhile the system has ended processes for want of memory
  Nanoseconds silent{0};    // it had sent nothing for so long
};

// "ended with code 3"
[[nodiscard]] std::string endedWith(int code);
// `how`: the predicate of the sentence. `errors`: the end of the collector's standard error. `who`: its subject. Where
// nothing explains the end, `advice` ends the sentence.
[[nodiscard]] CollectorEnd collectorEnd(std::string_view how, std::string_view errors, const CollectorKill& kill = {},
                                        std::string_view who = "The collector", std::string_view advice = {});

}  // namespace faultline
