// A program for tests of ChildProcess. The first argument selects the action.
#include <fcntl.h>
#include <io.h>
#include <windows.h>
// after windows.h
#include <shellapi.h>

#include <cstdio>
#include <string>
#include <vector>

#include "platform/system/windows/stop_event.h"
#include "platform/system/windows/system_text.h"

namespace {

void print(FILE* stream, const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stream);
  std::fflush(stream);
}

// Listens to stop requests, reports that, and treats them as the arguments say.
int listen(bool obey) {
  const auto stop = faultline::makeStopEvent();
  print(stdout, "ready\n");
  if (!obey) ::Sleep(60'000);
  ::WaitForSingleObject(stop.get(), 60'000);
  print(stdout, "bye\n");
  return 3;
}

int startAnother(const std::wstring& program, DWORD wait) {
  STARTUPINFOW start{};
  start.cb = sizeof start;
  PROCESS_INFORMATION child{};
  std::wstring line = L"child_windows sleep";
  if (::CreateProcessW(program.c_str(), line.data(), nullptr, nullptr, FALSE, 0, nullptr, nullptr, &start, &child) == 0)
    return 1;
  print(stdout, std::to_string(child.dwProcessId) + "\n");
  ::Sleep(wait);
  return 0;
}

SERVICE_STATUS_HANDLE asService = nullptr;

void report(DWORD state) {
  SERVICE_STATUS status{.dwServiceType = SERVICE_WIN32_OWN_PROCESS,
                        .dwCurrentState = state,
                        .dwControlsAccepted = SERVICE_ACCEPT_STOP,
                        .dwWin32ExitCode = 0,
                        .dwServiceSpecificExitCode = 0,
                        .dwCheckPoint = 0,
                        .dwWaitHint = 0};
  ::SetServiceStatus(asService, &status);
}

DWORD WINAPI control(DWORD request, DWORD /*type*/, void* /*event*/, void* /*context*/) {
  if (request == SERVICE_CONTROL_STOP) report(SERVICE_STOPPED);
  return NO_ERROR;
}

void WINAPI serve(DWORD /*count*/, LPWSTR* words) {
  asService = ::RegisterServiceCtrlHandlerExW(words[0], control, nullptr);
  report(SERVICE_RUNNING);
}

bool beService() {
  std::wstring any;
  const SERVICE_TABLE_ENTRYW table[] = {{any.data(), serve}, {nullptr, nullptr}};
  return ::StartServiceCtrlDispatcherW(table) != 0;
}

std::size_t readInput() {
  std::vector<char> buffer(1 << 16);
  std::size_t size = 0;
  while (const std::size_t got = std::fread(buffer.data(), 1, buffer.size(), stdin)) size += got;
  return size;
}

}  // namespace

int main() {
  for (FILE* const stream : {stdin, stdout, stderr}) ::_setmode(::_fileno(stream), _O_BINARY);
  int count = 0;
  LPWSTR* const words = ::CommandLineToArgvW(::GetCommandLineW(), &count);
  const std::wstring job = count > 1 ? words[1] : L"";
  if (job == L"words")
    for (int i = 2; i < count; ++i) print(stdout, "[" + faultline::toUtf8(words[i]) + "]");
  if (job == L"both") {
    print(stdout, "out\n");
    print(stderr, "err\n");
  }
  if (job == L"much") print(stdout, std::string(1'000'000, 'x'));
  if (job == L"service") return beService() ? 0 : 1;
  if (job == L"input") print(stdout, std::to_string(readInput()) + "\n");
  if (job == L"sleep") ::Sleep(60'000);
  if (job == L"polite" || job == L"stubborn") return listen(job == L"polite");
  if (job == L"parent") return startAnother(words[0], 60'000);
  if (job == L"leave") return startAnother(words[0], 0);
  // A handle with the same value may be open in this process, but is not the caller's.
  if (job == L"set") ::SetEvent(reinterpret_cast<HANDLE>(std::stoull(words[2])));
  if (job == L"exit") return static_cast<int>(std::stoul(words[2]));
  return job == L"both" ? 7 : 0;
}
