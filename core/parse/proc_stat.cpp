#include "core/parse/proc_stat.h"

#include "core/parse/number.h"

namespace faultline {
namespace {

constexpr std::uint64_t kKernelThreadFlag = 0x00200000;  // PF_KTHREAD, include/linux/sched.h

bool take(std::string_view& text, std::uint64_t& value) {
  const auto number = takeNumber(text);
  if (!number || !takeByte(text, ' ')) return false;
  value = *number;
  return true;
}

}  // namespace

std::optional<ProcStat> parseProcStat(std::string_view text) {
  ProcStat stat;
  std::uint64_t pid = 0;
  if (!take(text, pid) || pid > UINT32_MAX) return std::nullopt;
  stat.pid = static_cast<std::uint32_t>(pid);

  // A name may contain brackets and blanks, such as `we b) (x`: the last closing bracket ends the name.
  const std::size_t close = text.rfind(')');
  if (close == std::string_view::npos || text.front() != '(') return std::nullopt;
  stat.name = text.substr(1, close - 1);
  text.remove_prefix(close + 1);

  if (!takeByte(text, ' ') || text.empty()) return std::nullopt;
  stat.state = text.front();
  std::uint64_t flags = 0;
  if (!skipFields(text, 1) || !take(text, stat.parentPid)) return std::nullopt;
  if (!skipFields(text, 4) || !take(text, flags)) return std::nullopt;  // pgrp session tty tpgid
  stat.kernelThread = (flags & kKernelThreadFlag) != 0;
  if (!take(text, stat.minorFaults) || !take(text, stat.childMinorFaults)) return std::nullopt;
  if (!take(text, stat.majorFaults) || !take(text, stat.childMajorFaults)) return std::nullopt;
  if (!take(text, stat.userTicks) || !take(text, stat.systemTicks)) return std::nullopt;
  if (!skipFields(text, 4) || !take(text, stat.threads)) return std::nullopt;     // cutime cstime priority nice
  if (!skipFields(text, 1) || !take(text, stat.startTicks)) return std::nullopt;  // itrealvalue
  if (!take(text, stat.virtualBytes) || !take(text, stat.residentPages)) return std::nullopt;
  return stat;
}

}  // namespace faultline
