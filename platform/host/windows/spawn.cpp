#include "platform/host/windows/spawn.h"

#include <memory>
#include <vector>

#include "platform/system/windows/system_text.h"

namespace faultline {
namespace {

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

UniqueHandle inheritable(HANDLE handle) {
  HANDLE copy = nullptr;
  const HANDLE ourselves = ::GetCurrentProcess();
  if (handle == nullptr || handle == INVALID_HANDLE_VALUE) return {};
  if (::DuplicateHandle(ourselves, handle, ourselves, &copy, 0, TRUE, DUPLICATE_SAME_ACCESS) == 0) return {};
  return UniqueHandle(copy);
}

bool haveConsole() {
  return ::GetConsoleCP() != 0;
}

}  // namespace

UniqueHandle inheritedStream(DWORD which) {
  UniqueHandle stream = inheritable(::GetStdHandle(which));
  return stream ? std::move(stream) : emptyStream();
}

UniqueHandle emptyStream() {
  SECURITY_ATTRIBUTES inherited{.nLength = sizeof inherited, .lpSecurityDescriptor = nullptr, .bInheritHandle = TRUE};
  return UniqueHandle(::CreateFileW(L"NUL", GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE,
                                    &inherited, OPEN_EXISTING, 0, nullptr));
}

Result<Spawned> spawn(const std::wstring& program, std::wstring line, const std::array<UniqueHandle, 3>& streams,
                      bool ownGroup) {
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
  if (!haveConsole()) flags |= CREATE_NO_WINDOW;  // or Windows opens an empty console
  PROCESS_INFORMATION child{};
  if (::CreateProcessW(program.c_str(), line.data(), nullptr, nullptr, TRUE, flags, nullptr, nullptr,
                       &start.StartupInfo, &child) == 0)
    return fail(reasonOf(::GetLastError()));
  ::CloseHandle(child.hThread);
  return Spawned{UniqueHandle(child.hProcess), child.dwProcessId};
}

}  // namespace faultline
