// The cost of a process and of all processes that it started, as a text for the user.
#pragma once

#include <string>
#include <string_view>

#include "core/history/rates.h"
#include "core/model/hello.h"
#include "core/monitor/family_costs.h"

namespace faultline {

// "cat: 2.17 s in 65 page faults: 80.2 ms on a processor, 2.05 s waiting for a processor, 40.1 ms blocked";
// "ninja and the 412 processes it started (398 ended): 41.3 s in 12 345 678 page faults, 4 of them major; 21.0 GiB
// zeroed (≈ 9.80 s)"; "sh: 5.66 ms in 65 timed of 20 066 page faults". Omits values that are not available; ≈ marks
// estimates.
[[nodiscard]] std::string costText(std::string_view rawName, const FamilyCost& cost, const Hello& hello);

}  // namespace faultline
