#include "core/parse/proc_schedstat.h"

#include "core/parse/number.h"

namespace faultline {

std::optional<ProcSchedstat> parseProcSchedstat(std::string_view text) {
  const auto time = takeNumber(text);
  if (!time || !takeByte(text, ' ') || !skipFields(text, 1)) return std::nullopt;  // time spent waiting
  const auto runs = takeNumber(text);
  if (!runs || *runs == 0) return std::nullopt;
  return ProcSchedstat{.runNanoseconds = *time, .runs = *runs};
}

}  // namespace faultline
