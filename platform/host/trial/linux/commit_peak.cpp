#include "platform/host/trial/linux/commit_peak.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <string>

#include "core/base/file_text.h"
#include "core/parse/proc_statm.h"
#include "platform/system/posix/clock.h"
#include "platform/system/posix/process_folder.h"

namespace faultline {
namespace {

constexpr Nanoseconds kLongestPause = std::chrono::milliseconds(32);
constexpr int kShareOfTime = 100;

// Of all descendants. A process that ends meanwhile counts nothing.
std::uint64_t pagesBelow(pid_t parent) {
  std::uint64_t pages = 0;
  const std::string folder = "/proc/" + std::to_string(parent) + "/task/";
  for (const std::uint32_t thread : ProcessFolder(static_cast<std::uint32_t>(parent)).threads()) {
    std::ifstream children(folder + std::to_string(thread) + "/children");
    for (pid_t child = 0; children >> child;) {
      const auto statm = parseProcStatm(fileText("/proc/" + std::to_string(child) + "/statm").value_or(""));
      pages += (statm ? statm->data : 0) + pagesBelow(child);
    }
  }
  return pages;
}

}  // namespace

void CommitPeak::sample() {
  const Nanoseconds begin = readClock(CLOCK_THREAD_CPUTIME_ID);
  m_bytes = std::max(m_bytes, pagesBelow(getpid()) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)));
  m_pause = std::max(std::min(2 * m_pause, kLongestPause), kShareOfTime * (readClock(CLOCK_THREAD_CPUTIME_ID) - begin));
}

}  // namespace faultline
