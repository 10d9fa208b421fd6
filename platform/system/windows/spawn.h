// Starts a program that inherits its three standard streams and no other handle.
#pragma once

#include <windows.h>

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "platform/system/windows/system_text.h"
#include "platform/system/windows/unique_handle.h"

namespace faultline {

struct Spawned {
  UniqueHandle process;
  DWORD pid = 0;
  UniqueHandle thread{};  // in a job: stands still until ResumeThread()
};

// The list of handles that a child inherits.
class Inheritance {
 public:
  explicit Inheritance(const std::array<UniqueHandle, 3>& streams) {
    SIZE_T size = 0;
    ::InitializeProcThreadAttributeList(nullptr, 1, 0, &size);
    m_memory.resize(size);
    for (const UniqueHandle& stream : streams)
      if (stream) m_handles.push_back(stream.get());
    m_ready = ::InitializeProcThreadAttributeList(list(), 1, 0, &size) != 0 &&
              ::UpdateProcThreadAttribute(list(), 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST, m_handles.data(),
                                          m_handles.size() * sizeof(HANDLE), nullptr, nullptr) != 0;
  }
  ~Inheritance() {
    if (m_ready) ::DeleteProcThreadAttributeList(list());
  }
  Inheritance(const Inheritance&) = delete;
  Inheritance& operator=(const Inheritance&) = delete;

  [[nodiscard]] bool ready() const { return m_ready; }
  [[nodiscard]] LPPROC_THREAD_ATTRIBUTE_LIST list() {
    return reinterpret_cast<LPPROC_THREAD_ATTRIBUTE_LIST>(m_memory.data());
  }

 private:
  std::vector<std::byte> m_memory;
  std::vector<HANDLE> m_handles;
  bool m_ready = false;
};

// A job whose processes end when its last handle is closed, as when this process ends. `mostMemory`: bytes; 0: any.
[[nodiscard]] inline UniqueHandle makeJob(std::size_t mostMemory = 0) {
  UniqueHandle job(::CreateJobObjectW(nullptr, nullptr));
  JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits{};
  limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
  if (mostMemory > 0) limits.BasicLimitInformation.LimitFlags |= JOB_OBJECT_LIMIT_JOB_MEMORY;
  limits.JobMemoryLimit = mostMemory;
  if (!job || ::SetInformationJobObject(job.get(), JobObjectExtendedLimitInformation, &limits, sizeof limits) == 0)
    return {};
  return job;
}

// NUL, inheritable.
[[nodiscard]] inline UniqueHandle emptyStream() {
  SECURITY_ATTRIBUTES inherited{.nLength = sizeof inherited, .lpSecurityDescriptor = nullptr, .bInheritHandle = TRUE};
  return UniqueHandle(::CreateFileW(L"NUL", GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE,
                                    &inherited, OPEN_EXISTING, 0, nullptr));
}

// An inheritable copy of a standard stream of this process (STD_*_HANDLE); if that is closed, emptyStream().
[[nodiscard]] inline UniqueHandle inheritedStream(DWORD which) {
  HANDLE copy = nullptr;
  const HANDLE ourselves = ::GetCurrentProcess();
  const HANDLE stream = ::GetStdHandle(which);
  const bool open = stream != nullptr && stream != INVALID_HANDLE_VALUE;
  if (!open || ::DuplicateHandle(ourselves, stream, ourselves, &copy, 0, TRUE, DUPLICATE_SAME_ACCESS) == 0)
    return emptyStream();
  return UniqueHandle(copy);
}

// `streams`: standard input, output and error, as inheritable handles. `job`: the job in which the program begins;
// null: that of this process, and the program runs at once. Error: the system's reason.
[[nodiscard]] inline Result<Spawned> spawn(const std::wstring& program, std::wstring line,
                                           const std::array<UniqueHandle, 3>& streams, bool ownGroup,
                                           HANDLE job = nullptr) {
  Inheritance inheritance(streams);
  if (!inheritance.ready()) return fail(reasonOf(::GetLastError()));
  STARTUPINFOEXW start{};
  start.StartupInfo.cb = sizeof start;
  start.StartupInfo.dwFlags = STARTF_USESTDHANDLES;
  start.StartupInfo.hStdInput = streams[0].get();
  start.StartupInfo.hStdOutput = streams[1].get();
  start.StartupInfo.hStdError = streams[2].get();
  start.lpAttributeList = inheritance.list();
  DWORD flags = EXTENDED_STARTUPINFO_PRESENT;
  if (ownGroup) flags |= CREATE_NEW_PROCESS_GROUP;
  if (job != nullptr) flags |= CREATE_SUSPENDED;
  if (::GetConsoleCP() == 0) flags |= CREATE_NO_WINDOW;  // there is no console, and Windows would open an empty one
  PROCESS_INFORMATION child{};
  if (::CreateProcessW(program.c_str(), line.data(), nullptr, nullptr, TRUE, flags, nullptr, nullptr,
                       &start.StartupInfo, &child) == 0)
    return fail(reasonOf(::GetLastError()));
  Spawned spawned{UniqueHandle(child.hProcess), child.dwProcessId};
  UniqueHandle thread(child.hThread);
  if (job == nullptr) return spawned;
  if (::AssignProcessToJobObject(job, child.hProcess) == 0) {
    const DWORD error = ::GetLastError();
    ::TerminateProcess(child.hProcess, 1);
    return fail(reasonOf(error));
  }
  spawned.thread = std::move(thread);
  return spawned;
}

}  // namespace faultline
