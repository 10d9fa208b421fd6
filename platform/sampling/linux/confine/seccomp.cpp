#include "platform/sampling/linux/confine/seccomp.h"

#ifdef FAULTLINE_SECCOMP

#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <memory>
#include <vector>

#include "platform/sampling/linux/confine/forbidden_call.h"

namespace faultline {
namespace {

// Compares the low half of an argument: the kernel ignores the high half of an int.
scmp_arg_cmp equals(unsigned index, std::uint32_t value) {
  return {.arg = index, .op = SCMP_CMP_MASKED_EQ, .datum_a = UINT32_MAX, .datum_b = value};
}
scmp_arg_cmp hasNone(unsigned index, std::uint32_t bits) {
  return {.arg = index, .op = SCMP_CMP_MASKED_EQ, .datum_a = bits, .datum_b = 0};
}

struct Rule {
  int call;
  std::vector<scmp_arg_cmp> arguments{};
};

std::vector<Rule> rulesOfTheLoop(int opensIn) {
  const auto self = static_cast<std::uint32_t>(getpid());
  std::vector<Rule> rules{
      // sampling, from open files
      {SCMP_SYS(read)},
      {SCMP_SYS(pread64)},
      {SCMP_SYS(lseek)},
      {SCMP_SYS(getdents64)},
      {SCMP_SYS(close)},
      {SCMP_SYS(bpf), {equals(0, BPF_ITER_CREATE)}},
      {SCMP_SYS(bpf), {equals(0, BPF_OBJ_GET_INFO_BY_FD)}},
      {SCMP_SYS(ioctl), {equals(1, PERF_EVENT_IOC_ENABLE)}},
      {SCMP_SYS(ioctl), {equals(1, PERF_EVENT_IOC_DISABLE)}},
      // sending
      {SCMP_SYS(write), {equals(0, STDOUT_FILENO)}},
      {SCMP_SYS(write), {equals(0, STDERR_FILENO)}},
      {SCMP_SYS(writev), {equals(0, STDERR_FILENO)}},  // last message of the C library
      {SCMP_SYS(fcntl), {equals(1, F_SETFL)}},         // to restore the flags of a shared pipe
      // waiting; clocks that the vDSO cannot read
      {SCMP_SYS(ppoll)},
      {SCMP_SYS(clock_gettime)},
      {SCMP_SYS(getrusage)},  // the cost of clearing memory is measured again now and then
      {SCMP_SYS(restart_syscall)},
      {SCMP_SYS(timer_settime)},  // the standstill limit
      {SCMP_SYS(futex)},
      // memory, never executable
      {SCMP_SYS(brk)},
      {SCMP_SYS(mmap), {hasNone(2, PROT_EXEC)}},
      {SCMP_SYS(mprotect), {hasNone(2, PROT_EXEC)}},
      {SCMP_SYS(mremap)},
      {SCMP_SYS(munmap)},
      {SCMP_SYS(madvise)},
      // the end, also by a broken invariant
      {SCMP_SYS(exit_group)},
      {SCMP_SYS(rt_sigreturn)},
      {SCMP_SYS(rt_sigprocmask)},
      {SCMP_SYS(getpid)},
      {SCMP_SYS(gettid)},
      {SCMP_SYS(tgkill), {equals(0, self), equals(2, SIGABRT)}},
  };
  if (opensIn >= 0)
    rules.push_back(
        {SCMP_SYS(openat),
         {equals(0, static_cast<std::uint32_t>(opensIn)), hasNone(2, ~static_cast<std::uint32_t>(O_CLOEXEC))}});
  return rules;
}

}  // namespace

bool systemCallsCanBeRestricted() {
  return true;
}

bool restrictSystemCalls(int opensIn) {
  nameForbiddenCalls();
  const std::unique_ptr<void, decltype(&seccomp_release)> filter(seccomp_init(SCMP_ACT_TRAP), seccomp_release);
  if (!filter || seccomp_attr_set(filter.get(), SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS) != 0) return false;
  for (const Rule& rule : rulesOfTheLoop(opensIn)) {
    const auto count = static_cast<unsigned>(rule.arguments.size());
    if (seccomp_rule_add_array(filter.get(), SCMP_ACT_ALLOW, rule.call, count, rule.arguments.data()) != 0)
      return false;
  }
  return seccomp_load(filter.get()) == 0;
}

}  // namespace faultline

#else

namespace faultline {

bool systemCallsCanBeRestricted() {
  return false;
}

bool restrictSystemCalls(int /*opensIn*/) {
  return false;
}

}  // namespace faultline

#endif
