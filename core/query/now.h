// The numbers of one process at present, for programs that ask a running Faultline: a line for people, or JSON.
#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/monitor/monitor.h"

namespace faultline {

// `question`: "4711" or "4711 json". The line: "game: 1.20 k minor/s, 0 major/s, 3.40 ms/s in faults, 12.0 MiB/s
// zeroed, commit 1.20 GiB", of numbers that are known, ≈ before estimates. JSON: the Hello and the moment with this
// process alone, a line each (core/export/json.h). Error, as a sentence: not such a question, or no such process.
[[nodiscard]] Result<std::string> answerNow(const Monitor& monitor, std::string_view question);

}  // namespace faultline
