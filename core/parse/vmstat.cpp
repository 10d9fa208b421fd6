#include "core/parse/vmstat.h"

#include "core/parse/number.h"

namespace faultline {
namespace {

std::optional<std::uint64_t>* slot(VmStat& vmstat, std::string_view key) {
  if (key == "pgfault") return &vmstat.faults;
  if (key == "pgmajfault") return &vmstat.majorFaults;
  if (key == "pgfree") return &vmstat.pagesFreed;
  if (key == "thp_fault_alloc") return &vmstat.thpFaultsAllocated;
  if (key == "thp_fault_fallback") return &vmstat.thpFaultsFallback;
  return nullptr;
}

}  // namespace

VmStat parseVmStat(std::string_view text) {
  VmStat vmstat;
  std::optional<std::uint64_t> zones;  // stored only when a line of another kind follows: the list of zones is complete
  bool zonesBroken = false;
  while (!text.empty()) {
    const std::size_t blank = text.find_first_of(" \n");
    if (blank == std::string_view::npos) break;
    const std::string_view key = text.substr(0, blank);
    text.remove_prefix(blank);
    const auto value = takeByte(text, ' ') ? takeNumber(text) : std::nullopt;
    if (!takeLine(text)) break;

    if (key.starts_with("pgalloc_")) {
      zonesBroken = zonesBroken || !value;
      if (value) zones = zones.value_or(0) + *value;
    } else {
      vmstat.pagesAllocated = zonesBroken ? std::nullopt : zones;
      if (auto* target = slot(vmstat, key)) *target = value;
    }
  }
  return vmstat;
}

}  // namespace faultline
