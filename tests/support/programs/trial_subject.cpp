// A program with a planted cost, for `faultline-cli try`.
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace {

constexpr std::size_t kBlock = std::size_t{40} << 20U;

// A store that is not volatile would be left out before free(), and the block with it.
void touchNewBlock() {
  auto* const block = static_cast<volatile char*>(std::malloc(kBlock));
  for (std::size_t at = 0; at < kBlock; at += 4096) block[at] = 1;
  block[kBlock - 1] = 1;
  std::free(const_cast<char*>(block));
}

// Neither the program nor its child, which leaves group and session, ends at SIGTERM.
[[noreturn]] void stand() {
  std::signal(SIGTERM, SIG_IGN);
  if (fork() == 0) setsid();
  for (;;) pause();
}

}  // namespace

int main(int count, char** words) {
  const std::string_view kind = count > 1 ? words[1] : "";
  if (kind == "stand") stand();
  if (kind == "blocks")
    for (int i = 0; i < 20; ++i) touchNewBlock();
  if (kind == "environment") {
    const char* const tunables = std::getenv("GLIBC_TUNABLES");
    std::puts(tunables != nullptr ? tunables : "");
  }
  if (kind == "pid") std::printf("%d\n", static_cast<int>(getpid()));
  if (kind == "code") return std::getenv("GLIBC_TUNABLES") != nullptr ? 3 : 0;
  return 0;
}
