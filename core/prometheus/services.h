// ServiceNames: the service or container of each process, for sums by service. The reader is asked for a new process in
// its first two samples, as systemd may move it into its control group a moment after its start. A process that has
// ended before is in the service of its parent, whose control group it was born into.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "core/history/rates.h"

namespace faultline {

inline constexpr const char* kNoService = "none";  // of processes in no service and no container, and of unknown ones

class ServiceNames {
 public:
  // Absent: the process has ended.
  using Reader = std::function<std::optional<std::string>(const ProcessKey&)>;
  explicit ServiceNames(Reader reader) : m_reader(std::move(reader)) {}

  using ParentOf = std::function<std::optional<ProcessKey>(const ProcessKey&)>;
  void take(const Moment& now, const ParentOf& parentOf);
  [[nodiscard]] const std::string& of(const ProcessKey& key) const;

 private:
  struct Known {
    std::string name;
    int reads = 0;
    bool here = false;  // in the last sample
  };
  [[nodiscard]] const std::string& inherited(const ProcessKey& key, const ParentOf& parentOf) const;

  Reader m_reader;
  std::map<ProcessKey, Known> m_known;
  std::string m_none = kNoService;
};

}  // namespace faultline
