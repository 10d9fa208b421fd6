#include "platform/sampling/windows/watch/watched_game.h"

#include "platform/sampling/windows/machine.h"
#include "platform/system/windows/system_text.h"

namespace faultline {
namespace {

std::string nameOf(const UniqueHandle& process) {
  std::wstring path(1024, L'\0');
  auto size = static_cast<DWORD>(path.size());
  if (::QueryFullProcessImageNameW(process.get(), 0, path.data(), &size) == 0) return {};
  path.resize(size);
  return toUtf8(path.substr(path.find_last_of(L'\\') + 1));
}

}  // namespace

std::string processText(std::uint32_t pid) {
  return "Process " + std::to_string(pid);
}

Result<UniqueHandle> openGame(std::uint32_t pid) {
  UniqueHandle process(::OpenProcess(SYNCHRONIZE | PROCESS_QUERY_LIMITED_INFORMATION, FALSE, pid));
  if (!process) return fail(processText(pid) + " cannot be opened: " + reasonOf(::GetLastError()) + ".");
  return process;
}

bool hasExited(const UniqueHandle& process) {
  return ::WaitForSingleObject(process.get(), 0) == WAIT_OBJECT_0;
}

Hello helloOfGame(std::uint32_t pid, const UniqueHandle& process, Nanoseconds interval) {
  Hello hello;
  hello.source = "watch";
  hello.clock = "QueryPerformanceCounter";
  hello.interval = interval;
  hello.machine = readMachine();
  WatchedGame& game = hello.watched.emplace();
  game.pid = pid;
  game.name = nameOf(process);
  for (const FrameQuality& row : kFurtherFrameQualities)
    game.*row.quality = unavailable("Windows does not report " + std::string(row.numbers));
  game.zeroed = unavailable("Windows does not report for which process it zeroes pages");
  game.faultTime = unavailable("Windows does not measure the time in page faults");
  game.faultParts = game.faultEfforts = game.faultTime;
  game.teardown = unavailable("Windows does not measure the time in which memory is given back");
  game.path = unavailable("Windows does not report for which thread another one waits");
  return hello;
}

}  // namespace faultline
