#include <sys/resource.h>

#include "platform/desktop/programs.h"

namespace faultline {
namespace {

Nanoseconds duration(const timeval& time) {
  return std::chrono::seconds(time.tv_sec) + std::chrono::microseconds(time.tv_usec);
}

}  // namespace

std::filesystem::path executableFolder() {
  std::error_code ignored;
  return std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
}

Nanoseconds ownCpuTime() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return duration(usage.ru_utime) + duration(usage.ru_stime);
}

}  // namespace faultline
