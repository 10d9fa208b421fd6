// What machine this is, for Hello: os-release, uname, /proc/cpuinfo and /proc/meminfo. What cannot be read stays empty.
#pragma once

#include "core/model/hello.h"
#include "platform/sampling/linux/facts/proc_files.h"

namespace faultline {

[[nodiscard]] Machine readMachine(ProcFiles& files);

}  // namespace faultline
