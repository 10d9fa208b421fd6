#include "platform/sampling/linux/facts/machine.h"

#include <sys/utsname.h>
#include <unistd.h>

#include "core/base/file_text.h"
#include "core/parse/machine_text.h"
#include "core/parse/meminfo.h"

namespace faultline {
namespace {

std::string systemName() {
  std::string name = prettyName(fileText("/etc/os-release").value_or(""));
  utsname kernel{};
  if (uname(&kernel) != 0) return name;
  if (!name.empty()) name += ", ";
  return name + kernel.sysname + " " + kernel.release;
}

std::string readText(ProcFiles& files, const char* path) {
  const int file = files.open(path);
  if (file < 0) return {};
  std::vector<char> buffer;
  std::string text(readWhole(files, file, buffer));
  files.close(file);
  return text;
}

}  // namespace

Machine readMachine(ProcFiles& files) {
  return {
      .system = systemName(),
      .processor = processorName(readText(files, "cpuinfo")),
      .processors = static_cast<std::uint32_t>(sysconf(_SC_NPROCESSORS_ONLN)),
      .memoryBytes = parseMemInfo(readText(files, "meminfo")).total.value_or(0),
      .pageBytes = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)),
  };
}

}  // namespace faultline
