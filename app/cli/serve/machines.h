// SyntheticMachines: many synthetic machines, each with a collector and numbers of its own, to try what a fleet costs.
// Machine 1 is the caller's; the others are here.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/serve/http_server.h"
#include "app/cli/serve/numbers.h"
#include "app/cli/stream/collector.h"

namespace faultline {

class SyntheticMachines {
 public:
  SyntheticMachines() = default;
  SyntheticMachines(const SyntheticMachines&) = delete;
  SyntheticMachines& operator=(const SyntheticMachines&) = delete;
  ~SyntheticMachines();  // asks all collectors to end, and only then waits for each

  // Starts machines 2 to `count`, whose number is their seed. Error: a collector cannot be started.
  [[nodiscard]] Result<void> start(std::size_t count, std::size_t programs, const CommonOptions& common,
                                   Nanoseconds interval);
  // Takes the next snapshot of each. Error: as of CollectorStream::waitForEvent().
  [[nodiscard]] Result<void> take(const Interrupt& interrupt);

  // "/machines": the list of all in the JSON of Prometheus' http_sd_configs, as machines at `address`.
  // "/machines/N/metrics": the numbers of machine N, of which `first` has those of the first. Absent: another path.
  [[nodiscard]] std::optional<HttpAnswer> answer(std::string_view path, const std::string& address,
                                                 PrometheusFormat format, const Numbers& first) const;

 private:
  struct Machine {
    Machine(CollectorStream collector, std::size_t programs)
        : stream(std::move(collector)), numbers(programs, false, std::size_t{1} << 20U) {}
    CollectorStream stream;
    Numbers numbers;
  };
  std::vector<std::unique_ptr<Machine>> m_machines;
};

// The page of numbers as an answer, with its type.
[[nodiscard]] HttpAnswer pageOf(const Numbers& numbers, PrometheusFormat format);

}  // namespace faultline
