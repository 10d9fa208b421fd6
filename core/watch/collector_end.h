// CollectorEnd: how a collector ended, for a person.
#pragma once

#include <string>
#include <string_view>

namespace faultline {

struct CollectorEnd {
  std::string said;      // the last line that it wrote to standard error, without its name; or empty
  std::string sentence;  // tells everything

  bool operator==(const CollectorEnd&) const = default;
};

// "ended with code 3"
[[nodiscard]] std::string endedWith(int code);
// `how`: the predicate of the sentence. `errors`: the end of the collector's standard error. `who`: its subject.
[[nodiscard]] CollectorEnd collectorEnd(std::string_view how, std::string_view errors,
                                        std::string_view who = "The collector");

}  // namespace faultline
