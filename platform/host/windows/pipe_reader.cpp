#include "platform/host/windows/pipe_reader.h"

#include <algorithm>
#include <string>

#include "platform/system/windows/system_text.h"

namespace faultline {
namespace {

constexpr DWORD kRoom = 256U << 10U;  // bytes that a child can write before the first read

// A named pipe, because anonymous pipes do not support overlapped reads. FIRST_PIPE_INSTANCE fails if another process
// has created a pipe of this name.
UniqueHandle makeOurEnd(std::wstring& name) {
  LARGE_INTEGER now{};
  ::QueryPerformanceCounter(&now);
  name = L"\\\\.\\pipe\\faultline-" + std::to_wstring(::GetCurrentProcessId()) + L"-" + std::to_wstring(now.QuadPart);
  return UniqueHandle(::CreateNamedPipeW(
      name.c_str(), PIPE_ACCESS_INBOUND | FILE_FLAG_OVERLAPPED | FILE_FLAG_FIRST_PIPE_INSTANCE,
      PIPE_TYPE_BYTE | PIPE_READMODE_BYTE | PIPE_WAIT | PIPE_REJECT_REMOTE_CLIENTS, 1, 0, kRoom, 0, nullptr));
}

}  // namespace

Result<std::unique_ptr<PipeReader>> PipeReader::make(UniqueHandle& theirs) {
  std::wstring name;
  UniqueHandle ours = makeOurEnd(name);
  while (!ours && ::GetLastError() == ERROR_ACCESS_DENIED)
    ours = makeOurEnd(name);  // the name is taken: same clock tick
  SECURITY_ATTRIBUTES inherited{.nLength = sizeof inherited, .lpSecurityDescriptor = nullptr, .bInheritHandle = TRUE};
  if (ours)
    theirs = UniqueHandle(
        ::CreateFileW(name.c_str(), GENERIC_WRITE | FILE_READ_ATTRIBUTES, 0, &inherited, OPEN_EXISTING, 0, nullptr));
  UniqueHandle arrived(::CreateEventW(nullptr, TRUE, FALSE, nullptr));
  if (!ours || !theirs || !arrived) return fail("No pipe can be made: " + reasonOf(::GetLastError()) + ".");
  return std::unique_ptr<PipeReader>(new PipeReader(std::move(ours), std::move(arrived)));
}

PipeReader::PipeReader(UniqueHandle pipe, UniqueHandle arrived)
    : m_pipe(std::move(pipe)), m_arrived(std::move(arrived)) {
  begin();
}

PipeReader::~PipeReader() {
  if (!m_begun) return;
  ::CancelIoEx(m_pipe.get(), &m_reading);
  finish();
}

// The event is set when read() would not block: after data, at the end, and on failure.
void PipeReader::begin() {
  m_reading = {};
  m_reading.hEvent = m_arrived.get();
  m_begun = ::ReadFile(m_pipe.get(), m_ahead.data(), static_cast<DWORD>(m_ahead.size()), nullptr, &m_reading) != 0 ||
            ::GetLastError() == ERROR_IO_PENDING;
  if (m_begun) return;
  m_ended = true;
  ::SetEvent(m_arrived.get());
}

void PipeReader::finish() {
  DWORD size = 0;
  m_ended = ::GetOverlappedResult(m_pipe.get(), &m_reading, &size, TRUE) == 0;
  m_begun = false;
  m_rest = std::span<const std::byte>(m_ahead).first(m_ended ? 0 : size);
  if (m_ended) ::SetEvent(m_arrived.get());
}

std::size_t PipeReader::read(std::span<std::byte> buffer) {
  while (m_rest.empty() && !m_ended) {
    finish();
    if (m_rest.empty() && !m_ended) begin();  // a write of zero bytes is not the end
  }
  const std::size_t size = std::min(buffer.size(), m_rest.size());
  std::ranges::copy(m_rest.first(size), buffer.begin());
  m_rest = m_rest.subspan(size);
  if (m_rest.empty() && !m_ended) begin();
  return size;
}

}  // namespace faultline
