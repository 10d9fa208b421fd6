#include "platform/host/windows/program_search.h"

#include <windows.h>

#include <string>
#include <vector>

namespace faultline {
namespace {

std::wstring environment(const wchar_t* name) {
  std::wstring value(::GetEnvironmentVariableW(name, nullptr, 0), L'\0');
  value.resize(::GetEnvironmentVariableW(name, value.data(), static_cast<DWORD>(value.size())));
  return value;
}

std::vector<std::wstring> parts(const std::wstring& list) {
  std::vector<std::wstring> found;
  for (std::size_t start = 0; start < list.size();) {
    const std::size_t end = std::min(list.find(L';', start), list.size());
    if (end > start) found.push_back(list.substr(start, end - start));
    start = end + 1;
  }
  return found;
}

std::filesystem::path withEnding(const std::filesystem::path& file) {
  std::error_code ignored;
  if (file.has_extension() && std::filesystem::is_regular_file(file, ignored)) return file;
  for (const std::wstring& ending : parts(environment(L"PATHEXT"))) {
    const std::filesystem::path whole = file.native() + ending;
    if (std::filesystem::is_regular_file(whole, ignored)) return whole;
  }
  return {};
}

}  // namespace

// The current folder is not searched, for safety. CreateProcessW would search it for a bare name.
std::optional<std::filesystem::path> searchProgram(const std::filesystem::path& name) {
  if (name.has_parent_path()) {
    const auto found = withEnding(name);
    return found.empty() ? name : found;
  }
  for (const std::wstring& folder : parts(environment(L"PATH")))
    if (const auto found = withEnding(std::filesystem::path(folder) / name); !found.empty()) return found;
  return std::nullopt;
}

}  // namespace faultline
