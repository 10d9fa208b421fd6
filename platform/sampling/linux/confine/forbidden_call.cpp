#include "platform/sampling/linux/confine/forbidden_call.h"

#ifdef FAULTLINE_SECCOMP

#include <seccomp.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstring>

#ifdef FAULTLINE_TRAP_SYSCALLS
#include <execinfo.h>
#endif

namespace faultline {
namespace {

constexpr unsigned kMostCalls = 600;  // of the kernel, by number

// The names are looked up beforehand: a signal handler must not allocate.
std::array<char*, kMostCalls> g_names{};

void write(const char* text) {
  static_cast<void>(!::write(STDERR_FILENO, text, std::strlen(text)));
}

void printStack() {
#ifdef FAULTLINE_TRAP_SYSCALLS
  std::array<void*, 64> stack{};
  backtrace_symbols_fd(stack.data(), backtrace(stack.data(), stack.size()), STDERR_FILENO);
#endif
}

void writeNumber(unsigned number) {
  std::array<char, 12> digits{};
  auto place = digits.end() - 1;
  for (; place == digits.end() - 1 || number > 0; number /= 10) *--place = static_cast<char>('0' + number % 10);
  write(place);
}

// The last call is itself forbidden: the kernel sends SIGSYS again, which has no handler any more.
void tell(int /*signal*/, siginfo_t* info, void* /*context*/) {
  const auto number = static_cast<unsigned>(info->si_syscall);
  printStack();  // first: readers show the last line
  write("faultline-collector: It made the system call ");
  if (number < kMostCalls && g_names[number] != nullptr) write(g_names[number]);
  else writeNumber(number);
  write(", which its filter forbids. Please report this.\n");
  syscall(SYS_tgkill, getpid(), gettid(), SIGSYS);
}

}  // namespace

void nameForbiddenCalls() {
  for (unsigned number = 0; number < kMostCalls; ++number)
    g_names[number] = seccomp_syscall_resolve_num_arch(SCMP_ARCH_NATIVE, static_cast<int>(number));
#ifdef FAULTLINE_TRAP_SYSCALLS
  void* first = nullptr;
  backtrace(&first, 1);  // loads a library
#endif
  struct sigaction action{};
  action.sa_sigaction = tell;
  action.sa_flags = SA_SIGINFO | static_cast<int>(SA_RESETHAND);
  sigaction(SIGSYS, &action, nullptr);
}

}  // namespace faultline

#endif
