// The remedies of core/trial that this machine and a program allow.
#pragma once

#include <string>

#include "core/trial/remedy.h"

namespace faultline {

// Without limits: for lists of all remedies of this system.
[[nodiscard]] TrialPlace anyTrialPlace();
// `program` as typed; without a folder it is searched in PATH. A script is judged by the program that runs it.
[[nodiscard]] TrialPlace trialPlace(const std::string& program);

}  // namespace faultline
