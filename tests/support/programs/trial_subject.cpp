// A program with a planted cost, for `faultline-cli try`.
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace {

constexpr std::size_t kBlock = std::size_t{40} << 20U;

void touchNewBlock() {
  char* volatile block = static_cast<char*>(std::malloc(kBlock));
  std::memset(block, 1, kBlock);
  std::free(block);
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
