// This machine, for Hello, from os-release, uname, /proc/cpuinfo and /proc/meminfo. Unreadable values stay empty.
#pragma once

#include "core/model/hello.h"
#include "platform/sampling/linux/facts/proc_files.h"

namespace faultline {

[[nodiscard]] Machine readMachine(ProcFiles& files);

}  // namespace faultline
