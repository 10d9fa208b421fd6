#include "platform/host/programs.h"

#include <windows.h>
// after windows.h
#include <shellapi.h>

#include "platform/host/collector_choice.h"
#include "platform/system/windows/cycles.h"
#include "platform/system/windows/system_text.h"
#include "platform/system/windows/unique_handle.h"

namespace faultline {
namespace {

Nanoseconds duration(const FILETIME& time) {  // FILETIME counts 100 ns
  return Nanoseconds(((static_cast<std::int64_t>(time.dwHighDateTime) << 32) | time.dwLowDateTime) * 100);
}

}  // namespace

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
  TOKEN_ELEVATION elevation{};
  DWORD size = sizeof elevation;
  return ::GetTokenInformation(token.get(), TokenElevation, &elevation, size, &size) != 0 &&
         elevation.TokenIsElevated != 0;
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
  return duration(kernel) + duration(user);
}

}  // namespace faultline
