#include "platform/host/costs/conditions.h"

#include <unistd.h>

#include <fstream>

namespace faultline {
namespace {

std::string lineOf(const char* name) {
  std::ifstream file(name);
  std::string line;
  std::getline(file, line);
  return line;
}

// "always [madvise] never" -> "madvise"
std::string chosenOf(const char* name) {
  const std::string line = lineOf(name);
  const std::size_t begin = line.find('[');
  const std::size_t end = line.find(']');
  if (begin == std::string::npos || end == std::string::npos || end < begin) return "unknown";
  return line.substr(begin + 1, end - begin - 1);
}

// Of the kernel's command line, where the cost of a fault is decided.
std::string bootSettings() {
  const std::string line = " " + lineOf("/proc/cmdline") + " ";
  std::string found;
  for (const char* const name : {"init_on_alloc", "init_on_free", "mitigations", "pti", "page_poison"}) {
    const std::size_t at = line.find(std::string(" ") + name);
    if (at != std::string::npos) found += ", " + line.substr(at + 1, line.find(' ', at + 1) - at - 1);
  }
  return found;
}

}  // namespace

std::string costSettings() {
  const std::string governor = lineOf("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
  return "large pages " + chosenOf("/sys/kernel/mm/transparent_hugepage/enabled") + ", defrag " +
         chosenOf("/sys/kernel/mm/transparent_hugepage/defrag") + (governor.empty() ? "" : ", governor " + governor) +
         bootSettings();
}

std::string systemAllocator() {
  std::string text(::confstr(_CS_GNU_LIBC_VERSION, nullptr, 0), '\0');
  ::confstr(_CS_GNU_LIBC_VERSION, text.data(), text.size());
  if (!text.empty()) text.pop_back();  // the NUL
  return text;
}

std::string costWarning() {
  if (bootSettings().find("init_on_free=1") == std::string::npos) return {};
  return "The kernel also clears pages when they are given back (init_on_free=1): giving back is dearer.";
}

std::optional<double> machineLoad() {
  std::ifstream file("/proc/loadavg");
  double load = 0;
  if (!(file >> load)) return std::nullopt;
  return load;
}

}  // namespace faultline
