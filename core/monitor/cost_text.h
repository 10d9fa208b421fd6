// What a process and all it started have cost, as a sentence for a person.
#pragma once

#include <string>
#include <string_view>

#include "core/model/hello.h"
#include "core/monitor/family_costs.h"

namespace faultline {

// "ninja and the 412 processes it started (398 ended): 41.3 s in 12 345 678 page faults, 4 of them major; 21.0 GiB
// zeroed (≈ 9.80 s)"; "sh: 5.66 ms in 65 timed of 20 066 page faults". What was not measured is left out; ≈ marks what
// is estimated.
[[nodiscard]] std::string costText(std::string_view rawName, const FamilyCost& cost, const Hello& hello);

}  // namespace faultline
