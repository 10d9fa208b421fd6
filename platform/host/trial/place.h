// The remedies of core/trial that this machine and a program allow.
#pragma once

#include <string>

#include "core/trial/remedy.h"

namespace faultline {

// `program` as typed; without a folder it is searched in PATH. A script is judged by the program that runs it.
[[nodiscard]] TrialPlace trialPlace(const std::string& program);

}  // namespace faultline
