#include "platform/host/windows/present_mon.h"

#include <windows.h>
// after windows.h
#include <shlobj.h>

#include "platform/host/programs.h"

namespace faultline {
namespace {

bool isPresentMon(const std::filesystem::path& file) {
  constexpr std::wstring_view kStart = L"presentmon";
  std::wstring name = file.filename().native();
  ::CharLowerBuffW(name.data(), static_cast<DWORD>(name.size()));
  return name.starts_with(kStart) && name.ends_with(L".exe");
}

}  // namespace

std::vector<std::filesystem::path> presentMonFolders() {
  std::vector<std::filesystem::path> folders{executableFolder()};
  PWSTR found = nullptr;
  if (::SHGetKnownFolderPath(FOLDERID_ProgramFiles, 0, nullptr, &found) == S_OK) {
    const std::filesystem::path programs(found);
    folders.push_back(programs / "Intel/PresentMon/PresentMonConsoleApplication");
    folders.push_back(programs / "PresentMon");
  }
  ::CoTaskMemFree(found);
  return folders;
}

std::optional<std::filesystem::path> findPresentMon(const std::vector<std::filesystem::path>& folders) {
  for (const std::filesystem::path& folder : folders) {
    if (!folder.is_absolute()) continue;
    std::optional<std::filesystem::path> newest;
    std::filesystem::file_time_type written;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
      if (!isPresentMon(entry.path()) || !entry.is_regular_file(error)) continue;
      const auto time = entry.last_write_time(error);
      if (newest && time <= written) continue;
      newest = entry.path();
      newest->make_preferred();
      written = time;
    }
    if (newest) return newest;
  }
  return std::nullopt;
}

}  // namespace faultline
