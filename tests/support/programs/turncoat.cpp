// Two programs. `turncoat game FILE [threads]` maps FILE as code, for tests to probe, and executes `FILE secret 600` at
// SIGUSR1. `turncoat secret SECONDS` touches pages of one fixed region, which a collector of another user must not see.
#include "tests/support/programs/turncoat.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>

extern "C" __attribute__((noinline, visibility("default"))) void turncoatTurn(long turn) {
  asm volatile("nop\n\tnop" : : "r"(turn) : "memory");  // so that no function begins at its second byte
}

namespace {

volatile sig_atomic_t toTurn = 0;

void pauseShortly() {
  const timespec time{.tv_sec = 0, .tv_nsec = 1'000'000};
  nanosleep(&time, nullptr);
}

int secret(int seconds) {
  const time_t end = time(nullptr) + seconds;
  for (long turn = 0; time(nullptr) < end; ++turn) {
    auto* const place = reinterpret_cast<void*>(faultline::test::kSecretPlace);
    auto* const memory = static_cast<volatile char*>(mmap(place, faultline::test::kSecretBytes, PROT_READ | PROT_WRITE,
                                                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0));
    for (std::size_t byte = 0; byte < faultline::test::kSecretBytes; byte += 4096) memory[byte] = 1;
    munmap(place, faultline::test::kSecretBytes);
    turncoatTurn(turn);
    pauseShortly();
  }
  return 0;
}

void* idle(void*) {
  for (;;) pauseShortly();
  return nullptr;
}

int game(const char* other, int threads) {
  const int file = open(other, O_RDONLY | O_CLOEXEC);
  struct stat status{};
  fstat(file, &status);
  if (mmap(nullptr, static_cast<std::size_t>(status.st_size), PROT_READ | PROT_EXEC, MAP_PRIVATE, file, 0) ==
      MAP_FAILED)
    return 1;
  signal(SIGUSR1, [](int) { toTurn = 1; });
  for (int thread = 0; thread < threads; ++thread) {
    pthread_t made{};
    pthread_create(&made, nullptr, idle, nullptr);
  }
  while (toTurn == 0) pauseShortly();
  execl(other, other, "secret", "600", nullptr);
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc >= 3 && std::strcmp(argv[1], "game") == 0) return game(argv[2], argc > 3 ? std::atoi(argv[3]) : 0);
  if (argc >= 3 && std::strcmp(argv[1], "secret") == 0) return secret(std::atoi(argv[2]));
  return 2;
}
