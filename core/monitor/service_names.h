// ServiceNames: adds to each process of the newest snapshot the service or container that it runs in. The reader is
// asked once for each process, and again in the next snapshot for a process that was younger than a second, which
// systemd may still move into its control group. A process that has ended before is in the service of its nearest known
// ancestor, whose control group it was born into; on Windows, where services name their own processes alone, so is
// every process that no service names. Costs a comparison for each process; remembers those of one snapshot.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/model/snapshot.h"

namespace faultline {

inline constexpr const char* kNoService = "none";  // of a process that is known to be in no service and no container
inline constexpr const char* kAsItsParent = "as its parent";  // an answer of a Reader, and never the name of a process

class ServiceNames {
 public:
  // Empty: in no service. Absent: the process has ended.
  using Reader = std::function<std::optional<std::string>(const ProcessKey&)>;
  explicit ServiceNames(Reader reader) : m_reader(std::move(reader)) {}

  void operator()(Snapshot& snapshot);

 private:
  struct Known {
    ProcessKey key;
    std::string name;
    bool settled = false;
    bool asItsParent = false;
  };

  void ask(Known& known, const ProcessSample& process, Nanoseconds sinceBoot);
  [[nodiscard]] std::string inherited(const ProcessSample& process, const Snapshot& snapshot) const;

  Reader m_reader;
  std::vector<Known> m_before;  // sorted by key
  std::vector<Known> m_now;
};

}  // namespace faultline
