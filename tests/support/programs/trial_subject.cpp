// A program with a planted cost, for `faultline-cli try`.
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <random>
#include <string_view>
#include <thread>
#include <vector>

namespace {

constexpr std::size_t kBlock = std::size_t{40} << 20U;

// A store that is not volatile would be left out before free(), and the block with it.
void touchNewBlock() {
  auto* const block = static_cast<volatile char*>(std::malloc(kBlock));
  for (std::size_t at = 0; at < kBlock; at += 4096) block[at] = 1;
  block[kBlock - 1] = 1;
  std::free(const_cast<char*>(block));
}

// One fault for each, whatever the settings of huge pages.
void touchPages(std::size_t count) {
  auto* const pages = static_cast<volatile char*>(
      mmap(nullptr, count * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  madvise(const_cast<char*>(pages), count * 4096, MADV_NOHUGEPAGE);
  for (std::size_t at = 0; at < count; ++at) pages[at * 4096] = 1;
}

// A daemon, for which nobody waits: its parent ends before it. Returns when it has touched the pages; it lives on.
void startDaemon(std::size_t pages) {
  int ends[2];
  if (pipe(ends) != 0) return;
  const pid_t parent = fork();
  if (parent != 0) {
    waitpid(parent, nullptr, 0);
    char byte = 0;
    static_cast<void>(!read(ends[0], &byte, 1));
    return;
  }
  if (fork() != 0) _exit(0);
  setsid();
  touchPages(pages);
  static_cast<void>(!write(ends[1], "d", 1));
  for (;;) pause();
}

// Neither the program nor its child, which leaves group and session, ends at SIGTERM.
[[noreturn]] void stand() {
  std::signal(SIGTERM, SIG_IGN);
  if (fork() == 0) setsid();
  for (;;) pause();
}

// Of this process, after a block has been freed.
long threads() {
  touchNewBlock();
  return std::distance(std::filesystem::directory_iterator("/proc/self/task"), {});
}

// Blocks of all sizes, written and read again, in four threads; then a child that does the same. Nonzero: a block was
// given to two owners.
int churn() {
  std::atomic<int> wrong = 0;
  const auto run = [&wrong](unsigned seed) {
    std::minstd_rand random(seed);
    std::vector<std::vector<unsigned>> kept(8);
    for (int i = 0; i < 400; ++i) {
      std::vector<unsigned>& block = kept[random() % kept.size()];
      for (const std::size_t at : {std::size_t{0}, block.size() / 2, block.size()})
        if (at < block.size() && block[at] != block.size() + seed) ++wrong;
      const std::size_t size = 1 + random() % 400'000;
      block = std::vector<unsigned>(size, static_cast<unsigned>(size) + seed);
    }
  };
  std::vector<std::thread> all;
  for (unsigned i = 1; i <= 4; ++i) all.emplace_back(run, i * 1'000'000);
  for (std::thread& thread : all) thread.join();
  const pid_t child = fork();
  if (child == 0) {
    run(1);
    _exit(wrong);
  }
  int status = 1;
  waitpid(child, &status, 0);
  return wrong + (status != 0 ? 1 : 0);
}

}  // namespace

int main(int count, char** words) {
  const std::string_view kind = count > 1 ? words[1] : "";
  if (kind == "stand") stand();
  if (kind == "blocks")
    for (int i = 0; i < 20; ++i) touchNewBlock();
  if (kind == "pages") touchPages(std::strtoul(words[2], nullptr, 10));
  if (kind == "daemon") startDaemon(std::strtoul(words[2], nullptr, 10));
  if (kind == "environment") {
    const char* const tunables = std::getenv("GLIBC_TUNABLES");
    std::puts(tunables != nullptr ? tunables : "");
  }
  if (kind == "threads") std::printf("%ld\n", threads());
  if (kind == "churn") return churn();
  if (kind == "pid") std::printf("%d\n", static_cast<int>(getpid()));
  if (kind == "code") return std::getenv("GLIBC_TUNABLES") != nullptr ? 3 : 0;
  return 0;
}
