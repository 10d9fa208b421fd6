#include "app/cli/serve/machines.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "app/cli/stream/calibrated.h"

namespace faultline {
namespace {

constexpr std::string_view kMachines = "/machines";
constexpr std::string_view kMetrics = "/metrics";

std::string pathOf(std::size_t machine) {
  return std::string(kMachines) + "/" + std::to_string(machine) + std::string(kMetrics);
}

// The number as pathOf() writes it, else 0.
std::size_t machineOf(std::string_view path) {
  if (!path.starts_with(kMachines)) return 0;
  std::size_t machine = 0;
  const char* const digits = path.data() + std::min(kMachines.size() + 1, path.size());
  std::from_chars(digits, path.data() + path.size(), machine);
  return path == pathOf(machine) ? machine : 0;
}

HttpAnswer listOf(std::size_t machines, const std::string& address) {
  nlohmann::json list = nlohmann::json::array();
  for (std::size_t machine = 1; machine <= machines; ++machine)
    list.push_back(
        {{"targets", {address}},
         {"labels", {{"__metrics_path__", pathOf(machine)}, {"instance", "machine-" + std::to_string(machine)}}}});
  return {"application/json", list.dump() + "\n"};
}

}  // namespace

HttpAnswer pageOf(const Numbers& numbers, PrometheusFormat format) {
  return {std::string(format == PrometheusFormat::Text ? kPrometheusType : kOpenMetricsType), numbers.text(format)};
}

SyntheticMachines::~SyntheticMachines() {
  for (const auto& machine : m_machines) machine->stream.stop();
}

Result<void> SyntheticMachines::start(std::size_t count, std::size_t programs, const CommonOptions& common,
                                      Nanoseconds interval) {
  for (std::size_t machine = 2; machine <= count; ++machine) {
    auto stream = CollectorStream::start(common, {.interval = interval, .seed = static_cast<std::uint32_t>(machine)});
    if (!stream) return fail("Machine " + std::to_string(machine) + ": " + stream.error().message);
    m_machines.push_back(std::make_unique<Machine>(std::move(*stream), programs));
  }
  return {};
}

Result<void> SyntheticMachines::take(const Interrupt& interrupt) {
  for (const auto& machine : m_machines) {
    for (bool taken = false; !taken;) {
      const auto event = machine->stream.waitForEvent(interrupt);
      if (!event) return tl::unexpected(event.error());
      if (const auto* hello = std::get_if<Hello>(&*event)) {
        machine->numbers.begin([&](Monitor& monitor) { monitor.ingest(*hello); });
      } else if (const auto* snapshot = std::get_if<const Snapshot*>(&*event)) {
        machine->numbers.take(**snapshot);
        taken = true;
      } else {
        return tl::unexpected(machine->stream.whyEnded());
      }
    }
  }
  return {};
}

std::optional<HttpAnswer> SyntheticMachines::answer(std::string_view path, const std::string& address,
                                                    PrometheusFormat format, const Numbers& first) const {
  if (path == kMachines) return listOf(m_machines.size() + 1, address);
  const std::size_t machine = machineOf(path);
  if (machine == 0 || machine > m_machines.size() + 1) return std::nullopt;
  return pageOf(machine == 1 ? first : m_machines[machine - 2]->numbers, format);
}

}  // namespace faultline
