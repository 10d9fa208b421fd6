// MomentFilter: selects moments of a recording, and processes of a moment.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/history/rates.h"

namespace faultline {

// Selects the part of a recording to write. All set conditions must hold.
struct MomentFilter {
  Nanoseconds from = Nanoseconds::min();  // since the first moment, inclusive
  Nanoseconds to = Nanoseconds::max();    // since the first moment, inclusive
  std::optional<std::uint32_t> pid;
  std::string name;  // as isNamed() has it; empty: any name

  [[nodiscard]] bool wants(Nanoseconds sinceStart) const;
  [[nodiscard]] bool wants(const ProcessRow& row) const;
  [[nodiscard]] bool anyProcess() const { return !pid && name.empty(); }
};

// The end of a line in a name would begin a row of CSV on a terminal, which shows no quotes.
void makeNamesPrintable(Moment& moment);

// Sets filter.pid if the text is a number, else filter.name.
void filterByProcess(const std::string& pidOrName, MomentFilter& filter);
// The text is part of the name or, after "unit:", of the service; ASCII case is ignored.
[[nodiscard]] bool isNamed(const ProcessRow& row, std::string_view part);
[[nodiscard]] bool containsIgnoringCase(std::string_view text, std::string_view part);

}  // namespace faultline
