#include "platform/sampling/windows/handle_outlet.h"

#include <winternl.h>

#include <algorithm>
#include <array>

#include "platform/system/windows/library_function.h"
#include "platform/system/windows/system_text.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;

constexpr Nanoseconds kLook = 50ms;   // between two checks of a reader whose end cannot be waited for
constexpr Nanoseconds kRoom = 1ms;    // the same while the pipe is full
constexpr DWORD kHighResolution = 2;  // CREATE_WAITABLE_TIMER_HIGH_RESOLUTION, Windows 10 1803
constexpr Nanoseconds kTick = 100ns;  // unit of a timer
constexpr std::size_t kLargestPiece = 1 << 20;
constexpr std::size_t kSmallestPiece = 512;

bool setPipeMode(HANDLE pipe, DWORD mode) {
  return ::SetNamedPipeHandleState(pipe, &mode, nullptr, nullptr) != 0;
}

UniqueHandle makeTimer() {
  UniqueHandle timer(::CreateWaitableTimerExW(nullptr, nullptr, kHighResolution, TIMER_ALL_ACCESS));
  if (!timer) timer = UniqueHandle(::CreateWaitableTimerExW(nullptr, nullptr, 0, TIMER_ALL_ACCESS));
  return timer;
}

// FILE_PIPE_LOCAL_INFORMATION, [MS-FSCC] 2.4.33.
struct PipeState {
  std::array<ULONG, 8> counts;
  ULONG state;
  ULONG end;
};
constexpr ULONG kPipeLocalInformation = 24;
constexpr ULONG kPipeDisconnected = 1;
constexpr ULONG kPipeClosing = 4;

// nullptr: no event, never set.
bool isSet(HANDLE event) {
  return event != nullptr && ::WaitForSingleObject(event, 0) == WAIT_OBJECT_0;
}

}  // namespace

HandleOutlet::HandleOutlet(HANDLE output, HANDLE stop, const Clock& clock, bool patient, UniqueHandle parent)
    : PacketOutlet(clock, patient),
      m_output(output),
      m_stop(stop),
      m_timer(makeTimer()),
      m_parent(std::move(parent)),
      m_pipe(setPipeMode(output, PIPE_READMODE_BYTE | PIPE_NOWAIT)) {}

HandleOutlet::~HandleOutlet() {
  if (m_pipe) setPipeMode(m_output, PIPE_READMODE_BYTE | PIPE_WAIT);  // the parent may share the pipe
}

std::optional<Wake> HandleOutlet::await(Nanoseconds timeout, bool room, Heed heed) {
  const HANDLE stop = heed == Heed::Nothing ? nullptr : m_stop;
  if (timeout > Nanoseconds(0)) {
    const Nanoseconds look = room ? kRoom : m_parent ? timeout : kLook;
    LARGE_INTEGER due;
    due.QuadPart = -std::max<std::int64_t>(std::min(timeout, look) / kTick, 1);  // negative: relative to now
    ::SetWaitableTimer(m_timer.get(), &due, 0, nullptr, nullptr, FALSE);
    std::array<HANDLE, 3> handles{m_timer.get()};
    DWORD count = 1;
    for (const HANDLE early : {stop, m_parent.get()})
      if (early != nullptr) handles.at(count++) = early;
    ::WaitForMultipleObjects(count, handles.data(), FALSE, INFINITE);
  }
  if (isSet(stop)) return Wake::Stop;
  if (isSet(m_parent.get())) m_parent.reset();
  if (readerGone()) return Wake::ReaderGone;
  return std::nullopt;
}

bool HandleOutlet::readerGone() const {
  using Query = LONG WINAPI(HANDLE, IO_STATUS_BLOCK*, void*, ULONG, ULONG);
  static auto* const query = libraryFunction<Query>(L"ntdll", "NtQueryInformationFile");
  PipeState pipe{};
  IO_STATUS_BLOCK status{};
  if (!m_pipe || query == nullptr || query(m_output, &status, &pipe, sizeof(pipe), kPipeLocalInformation) < 0)
    return false;
  return pipe.state == kPipeClosing || pipe.state == kPipeDisconnected;
}

// A PIPE_NOWAIT pipe accepts the bytes that fit. Wine accepts all of a write or nothing, so try smaller pieces.
Result<Sent> HandleOutlet::write(std::span<const std::byte>& rest) {
  for (std::size_t piece = kLargestPiece; !rest.empty() && piece >= kSmallestPiece;) {
    DWORD count = 0;
    const auto size = static_cast<DWORD>(std::min(piece, rest.size()));
    if (::WriteFile(m_output, rest.data(), size, &count, nullptr) == 0) {
      const DWORD error = ::GetLastError();
      if (error == ERROR_NO_DATA || error == ERROR_BROKEN_PIPE || error == ERROR_PIPE_NOT_CONNECTED)
        return Sent::ReaderGone;
      return fail("Cannot write the stream: " + reasonOf(error) + ".");
    }
    rest = rest.subspan(count);
    if (count == 0) piece = size / 2;
  }
  return Sent::Accepted;
}

}  // namespace faultline
