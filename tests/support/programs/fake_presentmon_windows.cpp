// fake_presentmon: plays the output of PresentMon for the process after -process_id, with frames of 10, 20 and 30 ms,
// until that process ends. The variable FAULTLINE_FAKE_PRESENTMON chooses: "1" the columns of 1.x; "2"
// those of 2.x; "denied" fails as without rights; "garbage" is another program; "breaks" fails after a second. It
// writes its process id to the file FAULTLINE_FAKE_PID.
#include <windows.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>

namespace {

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::string() : value;
}

std::int64_t ticks() {
  LARGE_INTEGER now{};
  ::QueryPerformanceCounter(&now);
  return now.QuadPart;
}

std::int64_t ticksPerMs() {
  LARGE_INTEGER frequency{};
  ::QueryPerformanceFrequency(&frequency);
  return frequency.QuadPart / 1000;
}

bool has(int words, char** arguments, const char* option) {
  for (int i = 1; i < words; ++i)
    if (std::strcmp(arguments[i], option) == 0) return true;
  return false;
}

unsigned long pidOf(int words, char** arguments) {
  for (int i = 1; i + 1 < words; ++i)
    if (std::strcmp(arguments[i], "-process_id") == 0) return std::strtoul(arguments[i + 1], nullptr, 10);
  return 0;
}

constexpr const char* kFirst =
    "Application,ProcessID,SwapChainAddress,Runtime,SyncInterval,PresentFlags,Dropped,TimeInSeconds,msInPresentAPI,"
    "msBetweenPresents,AllowsTearing,PresentMode,msUntilRenderComplete,msUntilDisplayed,msBetweenDisplayChange,QPCTime";
constexpr const char* kSecond =
    "Application,ProcessID,SwapChainAddress,PresentRuntime,SyncInterval,PresentFlags,AllowsTearing,PresentMode,"
    "CPUStartQPC,FrameTime,CPUBusy,CPUWait,GPULatency,GPUTime,GPUBusy,GPUWait,DisplayLatency,DisplayedTime";

void row(bool first, unsigned long pid, std::int64_t begin, std::int64_t end, int lasted) {
  if (first)
    std::printf("game.exe,%lu,0x000001F2A4B3C0D0,DXGI,1,0,0,%.14f,0.21,%.14f,0,Composed: Flip,3.1,12.2,16.6,%lld\n",
                pid, static_cast<double>(end) / 1e7, static_cast<double>(lasted), static_cast<long long>(end));
  else
    std::printf("game.exe,%lu,0x1F2A4B3C0D0,DXGI,1,0,0,Composed: Flip,%lld,%.4f,3.1,4.9,1.0,4.0,3.5,0.5,20.1,16.6\n",
                pid, static_cast<long long>(begin), static_cast<double>(lasted));
  std::fflush(stdout);
}

}  // namespace

int main(int words, char** arguments) {
  const std::string plays = variable("FAULTLINE_FAKE_PRESENTMON");
  const unsigned long pid = pidOf(words, arguments);
  for (const char* option : {"-output_stdout", "-qpc_time", "-stop_existing_session", "-session_name"})
    if (!has(words, arguments, option)) return 9;
  if (plays == "denied") {
    std::fputs("error: failed to start trace session: access denied.\n       PresentMon requires rights.\n", stderr);
    return 6;
  }
  if (plays == "garbage") {
    std::puts("Directory of C:\\");
    std::fflush(stdout);
    ::Sleep(60'000);
    return 0;
  }
  std::ofstream(variable("FAULTLINE_FAKE_PID")) << ::GetCurrentProcessId();
  HANDLE game = ::OpenProcess(SYNCHRONIZE, FALSE, pid);
  const bool first = plays == "1";
  std::puts(first ? kFirst : kSecond);
  std::fflush(stdout);
  const std::int64_t start = ticks();
  std::int64_t begin = start;
  for (int number = 0; ::WaitForSingleObject(game, 0) == WAIT_TIMEOUT; ++number) {
    const int lasted = 10 * (1 + number % 3);
    const std::int64_t end = begin + lasted * ticksPerMs();
    while (ticks() < end) ::Sleep(1);
    row(first, pid, begin, end, lasted);
    begin = end;
    if (plays == "breaks" && end - start > 1000 * ticksPerMs()) {
      std::fputs("error: lost the trace session\n", stderr);
      return 3;
    }
  }
  return 0;
}
