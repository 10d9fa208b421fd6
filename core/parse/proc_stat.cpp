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

  // A program may be called `we b) (x`: only the last bracket ends the name, nothing behind it can hold one.
  const std::size_t close = text.rfind(')');
  if (close == std::string_view::npos || text.front() != '(') return std::nullopt;
  stat.name = text.substr(1, close - 1);
  text.remove_prefix(close + 1);

  std::uint64_t flags = 0;
  if (!takeByte(text, ' ') || !skipFields(text, 6)) return std::nullopt;  // state ppid pgrp session tty tpgid
  if (!take(text, flags)) return std::nullopt;
  stat.kernelThread = (flags & kKernelThreadFlag) != 0;
  if (!take(text, stat.minorFaults) || !skipFields(text, 1)) return std::nullopt;  // cminflt
  if (!take(text, stat.majorFaults) || !skipFields(text, 7)) return std::nullopt;  // cmajflt, 4 times, priority, nice
  if (!take(text, stat.threads) || !skipFields(text, 1)) return std::nullopt;      // itrealvalue
  if (!take(text, stat.startTicks)) return std::nullopt;
  return stat;
}

}  // namespace faultline
