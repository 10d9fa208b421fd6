#include "core/parse/proc_statm.h"

#include <array>

#include "core/parse/number.h"

namespace faultline {

std::optional<ProcStatm> parseProcStatm(std::string_view text) {
  std::array<std::uint64_t, 6> fields{};  // size resident shared text lib data
  for (std::uint64_t& value : fields) {
    const auto number = takeNumber(text);
    if (!number || !takeByte(text, ' ')) return std::nullopt;
    value = *number;
  }
  return ProcStatm{.resident = fields[1], .shared = fields[2], .data = fields[5]};
}

}  // namespace faultline
