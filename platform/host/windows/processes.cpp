#include "platform/host/processes.h"

#include <windows.h>
// after windows.h
#include <tlhelp32.h>

#include <chrono>
#include <optional>

#include "core/text/quantity.h"
#include "platform/host/windows/frame_marks.h"
#include "platform/system/windows/file_time.h"
#include "platform/system/windows/stop_event.h"
#include "platform/system/windows/system_text.h"
#include "platform/system/windows/unique_handle.h"

namespace faultline {
namespace {

std::vector<PROCESSENTRY32W> allProcesses() {
  std::vector<PROCESSENTRY32W> all;
  const UniqueHandle snapshot(::CreateToolhelp32Snapshot(TH32CS_SNAPPROCESS, 0));
  PROCESSENTRY32W entry{};
  entry.dwSize = sizeof entry;
  for (BOOL more = ::Process32FirstW(snapshot.get(), &entry); more != 0;
       more = ::Process32NextW(snapshot.get(), &entry))
    all.push_back(entry);
  return all;
}

std::optional<std::uint64_t> startOf(DWORD pid) {
  const UniqueHandle process(::OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, FALSE, pid));
  FILETIME created{};
  FILETIME other{};
  if (!process || ::GetProcessTimes(process.get(), &created, &other, &other, &other) == 0) return std::nullopt;
  return unitsOf(created);
}

// Windows keeps the pid of an ended parent, which a younger process may have by now: compare the start times.
bool startedBy(const PROCESSENTRY32W& child, DWORD parent) {
  if (child.th32ParentProcessID != parent || child.th32ProcessID == parent) return false;
  const auto before = startOf(parent);
  const auto after = startOf(child.th32ProcessID);
  return before && after && *before <= *after;
}

}  // namespace

Nanoseconds upTime() {
  return std::chrono::milliseconds(::GetTickCount64());
}

std::uint32_t ownProcess() {
  return ::GetCurrentProcessId();
}

std::string nameProcess(std::uint32_t pid) {
  for (const PROCESSENTRY32W& entry : allProcesses())
    if (entry.th32ProcessID == pid) return printableName(toUtf8(entry.szExeFile)) + " (" + std::to_string(pid) + ")";
  return std::to_string(pid);
}

std::optional<ProcessIdentity> identifyProcess(std::uint32_t /*pid*/, std::uint64_t /*startTime*/) {
  return std::nullopt;
}

std::vector<std::string> commandOf(std::uint32_t /*pid*/) {
  return {};
}

std::string userName(std::uint32_t user) {
  return std::to_string(user);
}

std::string whyNotWatchable(std::uint32_t pid) {
  if (holdsFrameMarks(pid)) return {};
  return "The process does not call faultline_frame() of faultline_frame.h.";
}

bool askToEnd(std::uint32_t pid) {
  return askToStop(pid);
}

void adoptOrphans() {}

// Windows refuses memory instead.
std::optional<std::uint64_t> memoryKills(const std::filesystem::path& /*proc*/) {
  return std::nullopt;
}

std::vector<std::uint32_t> adoptedProcesses(std::uint32_t /*started*/) {
  return {};
}

std::vector<std::uint32_t> descendantsOf(std::uint32_t pid) {
  const std::vector<PROCESSENTRY32W> all = allProcesses();
  std::vector<std::uint32_t> found;
  const auto addChildren = [&](std::uint32_t parent) {
    for (const PROCESSENTRY32W& entry : all)
      if (startedBy(entry, parent)) found.push_back(entry.th32ProcessID);
  };
  addChildren(pid);
  for (std::size_t next = 0; next < found.size(); ++next) addChildren(found[next]);
  return found;
}

}  // namespace faultline
