#include "platform/host/lab/frequency.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <unistd.h>

#include <array>
#include <charconv>

#include "platform/system/posix/unique_fd.h"

namespace faultline {

std::optional<std::uint64_t> processorFrequency(const char* folder) {
  const int processor = sched_getcpu();
  if (processor < 0) return std::nullopt;
  std::array<char, 256> path{};
  fmt::format_to_n(path.data(), path.size() - 1, "{}/cpu{}/cpufreq/scaling_cur_freq", folder, processor);
  const UniqueFd file(open(path.data(), O_RDONLY | O_CLOEXEC));
  if (!file) return std::nullopt;
  std::array<char, 32> text{};
  const ssize_t size = pread(file.get(), text.data(), text.size(), 0);
  std::uint64_t kHz = 0;
  if (size <= 0 || std::from_chars(text.data(), text.data() + size, kHz).ec != std::errc() || kHz == 0)
    return std::nullopt;
  return kHz;
}

}  // namespace faultline
