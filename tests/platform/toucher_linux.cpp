#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>

#include "tests/support/plain.h"
#include "tests/support/toucher.h"

namespace faultline::test {
namespace {

constexpr std::size_t kWarmUpPages = 3;

FAULTLINE_PLAIN char* map(std::size_t bytes, int flags) {
  return reinterpret_cast<char*>(
      syscall(SYS_mmap, nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0));
}

FAULTLINE_PLAIN void touchPages(Touch how, char* memory, std::size_t pages, std::size_t pageBytes) {
  if (how == Touch::Populate || how == Touch::Map) {
    map(pages * pageBytes, how == Touch::Populate ? MAP_POPULATE : 0);
    return;
  }
  for (std::size_t page = 0; page < pages; ++page) {
    volatile char* const byte = memory + page * pageBytes;
    if (how == Touch::Write) *byte = 1;
    else (void)*byte;
  }
}

FAULTLINE_PLAIN void await(int command) {
  char byte = 0;
  if (syscall(SYS_read, command, &byte, 1) != 1) syscall(SYS_exit_group, 0);
}
FAULTLINE_PLAIN void answer(int pipe) {
  const char byte = '.';
  syscall(SYS_write, pipe, &byte, 1);
}

// The warm-up runs the very same code, so that its pages and those of the stack are there when it counts.
[[noreturn]] FAULTLINE_PLAIN void live(Touch how, std::size_t pages, int command, int answers) {
  const auto pageBytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  syscall(SYS_prctl, PR_SET_THP_DISABLE, 1, 0, 0, 0);
  char* const warmUp = map(kWarmUpPages * pageBytes, 0);
  char* const memory = map(pages * pageBytes, 0);
  const std::array<char*, 2> places{warmUp, memory};
  const std::array<std::size_t, 2> counts{kWarmUpPages, pages};
  for (std::size_t round = 0; round < 2; ++round) {
    await(command);
    touchPages(how, places[round], counts[round], pageBytes);
    answer(answers);
  }
  await(command);
  syscall(SYS_exit_group, 0);
  __builtin_unreachable();
}

}  // namespace

Toucher::Toucher(Touch how, std::size_t pages) {
  std::array<int, 2> command{};
  std::array<int, 2> answers{};
  if (pipe(command.data()) != 0 || pipe(answers.data()) != 0) return;
  m_pid = fork();
  if (m_pid == 0) {
    close(command[1]);
    live(how, pages, command[0], answers[1]);
  }
  close(command[0]);
  close(answers[1]);
  m_command = command[1];
  m_answer = answers[0];
  step();
}

Toucher::~Toucher() {
  close(m_command);
  close(m_answer);
  kill(m_pid, SIGKILL);
  waitpid(m_pid, nullptr, 0);
}

void Toucher::touch() {
  step();
}

void Toucher::step() const {
  char byte = 'g';
  if (write(m_command, &byte, 1) == 1) (void)!read(m_answer, &byte, 1);
}

}  // namespace faultline::test
