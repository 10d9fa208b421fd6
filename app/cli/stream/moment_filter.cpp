#include "app/cli/stream/moment_filter.h"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "core/text/quantity.h"

namespace faultline {

bool MomentFilter::wants(Nanoseconds sinceStart) const {
  return sinceStart >= from && sinceStart <= to;
}

bool MomentFilter::wants(const ProcessRow& row) const {
  return (!pid || row.key.pid == *pid) && (name.empty() || isNamed(row, name));
}

void makeNamesPrintable(Moment& moment) {
  for (ProcessRow& row : moment.rows) {
    row.name = printableName(row.name);
    row.service = printableName(row.service);
  }
}

void filterByProcess(const std::string& pidOrName, MomentFilter& filter) {
  const char* end = pidOrName.data() + pidOrName.size();
  std::uint32_t pid = 0;
  const auto [stop, error] = std::from_chars(pidOrName.data(), end, pid);
  if (error == std::errc{} && stop == end) filter.pid = pid;
  else filter.name = pidOrName;
}

bool isNamed(const ProcessRow& row, std::string_view part) {
  constexpr std::string_view kUnit = "unit:";
  if (!part.starts_with(kUnit)) return containsIgnoringCase(row.name, part);
  return !row.service.empty() && containsIgnoringCase(row.service, part.substr(kUnit.size()));
}

bool containsIgnoringCase(std::string_view text, std::string_view part) {
  const auto same = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
  };
  return !std::ranges::search(text, part, same).empty() || part.empty();
}

}  // namespace faultline
