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
  // The same paths as in resources/faultline-grant: that of the package, or that for what was built here.
  return executableFolder() == "/usr/bin" ? "/usr/libexec/faultline/faultline-collector"
                                          : "/usr/local/libexec/faultline/faultline-collector";
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
