#include "platform/host/programs.h"

#include <sys/resource.h>
#include <unistd.h>

#include "platform/host/collector_choice.h"

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

std::vector<std::string> programArguments(int count, char** words) {
  return {words, words + count};
}

std::filesystem::path grantedCollector() {
  return "/usr/local/libexec/faultline/faultline-collector";  // the same path as in resources/faultline-grant
}

bool mayExecute(const std::filesystem::path& program) {
  return ::access(program.c_str(), X_OK) == 0;
}

bool canRunPresentMon() {
  return false;
}

bool runsAsRoot() {
  return ::geteuid() == 0;
}

Nanoseconds ownCpuTime() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return duration(usage.ru_utime) + duration(usage.ru_stime);
}

}  // namespace faultline
