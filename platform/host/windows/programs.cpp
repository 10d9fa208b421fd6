#include "platform/host/programs.h"

#include <windows.h>
// after windows.h
#include <shellapi.h>

#include "platform/host/collector_choice.h"
#include "platform/system/windows/cycles.h"
#include "platform/system/windows/file_time.h"
#include "platform/system/windows/system_text.h"
#include "platform/system/windows/token.h"
#include "platform/system/windows/unique_handle.h"

namespace faultline {

std::filesystem::path executableFolder() {
  std::wstring path(MAX_PATH, L'\0');
  DWORD size = 0;
  while ((size = ::GetModuleFileNameW(nullptr, path.data(), static_cast<DWORD>(path.size()))) == path.size())
    path.resize(2 * path.size());
  return std::filesystem::path(path.substr(0, size)).parent_path();
}

// The arguments of main() are in the code page of the machine, not in UTF-8.
std::vector<std::string> programArguments(int /*count*/, char** /*words*/) {
  int count = 0;
  LPWSTR* const words = ::CommandLineToArgvW(::GetCommandLineW(), &count);
  std::vector<std::string> arguments;
  for (int i = 0; i < count; ++i) arguments.push_back(toUtf8(words[i]));
  ::LocalFree(words);
  return arguments;
}

std::filesystem::path grantedCollector() {
  return {};
}

bool mayExecute(const std::filesystem::path& program) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(program, ignored);
}

// True for an elevated administrator.
bool gainsRights(const std::filesystem::path& /*program*/) {
  return false;
}

bool canRunPresentMon() {
  return true;
}

bool runsAsRoot() {
  HANDLE opened = nullptr;
  if (::OpenProcessToken(::GetCurrentProcess(), TOKEN_QUERY, &opened) == 0) return false;
  const UniqueHandle token(opened);
  return isElevated(token.get());
}

// By cycles where Windows counts them. The source must not change between two calls.
Nanoseconds ownCpuTime() {
  static const auto perSecond = static_cast<double>(measureCyclesPerSecond());
  if (perSecond > 0)
    return std::chrono::duration_cast<Nanoseconds>(
        std::chrono::duration<double>(static_cast<double>(ownCycles().value_or(0)) / perSecond));
  FILETIME created{};
  FILETIME ended{};
  FILETIME kernel{};
  FILETIME user{};
  ::GetProcessTimes(::GetCurrentProcess(), &created, &ended, &kernel, &user);
  return durationOf(kernel) + durationOf(user);
}

}  // namespace faultline
