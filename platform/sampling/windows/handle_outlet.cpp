#include "platform/sampling/windows/handle_outlet.h"

#include <winternl.h>

#include <algorithm>
#include <array>

#include "platform/system/windows/library_function.h"
#include "platform/system/windows/system_text.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;

constexpr Nanoseconds kLastPatience = 1s;
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

}  // namespace

HandleOutlet::HandleOutlet(HANDLE output, HANDLE stop, const Clock& clock, bool patient, UniqueHandle parent)
    : m_output(output),
      m_stop(stop),
      m_timer(makeTimer()),
      m_clock(clock),
      m_parent(std::move(parent)),
      m_patient(patient),
      m_pipe(setPipeMode(output, PIPE_READMODE_BYTE | PIPE_NOWAIT)) {}

HandleOutlet::~HandleOutlet() {
  if (m_pipe) setPipeMode(m_output, PIPE_READMODE_BYTE | PIPE_WAIT);  // the parent may share the pipe
}

Result<Sent> HandleOutlet::send(std::span<const std::byte> packet) {
  if (pending()) {
    auto flushed = flushPatiently();
    if (!flushed || *flushed == Sent::ReaderGone) return flushed;
    if (pending()) return Sent::Dropped;
  }
  m_rest.assign(packet.begin(), packet.end());
  m_written = 0;
  return flush();
}

Result<Wake> HandleOutlet::wait(MonotonicTime deadline, bool forRoom) {
  for (;;) {
    const Nanoseconds left = forRoom && !pending() ? Nanoseconds(0) : deadline - m_clock.now();
    if (left > Nanoseconds(0)) {
      const Nanoseconds look = pending() ? kRoom : m_parent ? left : kLook;
      sleep(std::min(left, look), m_parent.get());
    }
    if (stopped()) return Wake::Stop;
    if (m_parent && ::WaitForSingleObject(m_parent.get(), 0) == WAIT_OBJECT_0) m_parent.reset();
    if (readerGone()) return Wake::ReaderGone;
    const auto flushed = flush();
    if (!flushed) return tl::unexpected(flushed.error());
    if (*flushed == Sent::ReaderGone) return Wake::ReaderGone;
    if (m_clock.now() >= deadline) return Wake::Deadline;
    if (forRoom && !pending()) return Wake::Room;
  }
}

Result<Sent> HandleOutlet::finish(std::span<const std::byte> packet) {
  auto flushed = flushLast();
  if (!flushed || *flushed == Sent::ReaderGone) return flushed;
  if (pending()) return Sent::Dropped;
  m_rest.assign(packet.begin(), packet.end());
  m_written = 0;
  return flushLast();
}

Result<Sent> HandleOutlet::flushPatiently() {
  auto flushed = flush();
  while (flushed && *flushed == Sent::Accepted && pending() && m_patient) {
    sleep(kRoom);
    if (stopped()) break;  // the event stays set for the next wait
    flushed = flush();
  }
  return flushed;
}

Result<Sent> HandleOutlet::flushLast() {
  auto flushed = flushPatiently();
  if (!flushed || *flushed == Sent::ReaderGone || !pending()) return flushed;
  return flushUntil(m_clock.now() + kLastPatience);
}

bool HandleOutlet::stopped() const {
  return m_stop != nullptr && ::WaitForSingleObject(m_stop, 0) == WAIT_OBJECT_0;
}

// Until the stop event, the end of `parent` (nullptr: none) or of `time`.
void HandleOutlet::sleep(Nanoseconds time, HANDLE parent) const {
  LARGE_INTEGER due;
  due.QuadPart = -std::max<std::int64_t>(time / kTick, 1);  // negative: relative to now
  ::SetWaitableTimer(m_timer.get(), &due, 0, nullptr, nullptr, FALSE);
  std::array<HANDLE, 3> handles{m_timer.get()};
  DWORD count = 1;
  for (const HANDLE early : {m_stop, parent})
    if (early != nullptr) handles.at(count++) = early;
  ::WaitForMultipleObjects(count, handles.data(), FALSE, INFINITE);
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
Result<Sent> HandleOutlet::flush() {
  for (std::size_t piece = kLargestPiece; pending() && piece >= kSmallestPiece;) {
    DWORD count = 0;
    const auto size = static_cast<DWORD>(std::min(piece, m_rest.size() - m_written));
    if (::WriteFile(m_output, m_rest.data() + m_written, size, &count, nullptr) == 0) {
      const DWORD error = ::GetLastError();
      if (error == ERROR_NO_DATA || error == ERROR_BROKEN_PIPE || error == ERROR_PIPE_NOT_CONNECTED)
        return Sent::ReaderGone;
      return fail("Cannot write the stream: " + reasonOf(error) + ".");
    }
    m_written += count;
    if (count == 0) piece = size / 2;
  }
  return Sent::Accepted;
}

Result<Sent> HandleOutlet::flushUntil(MonotonicTime deadline) {
  for (;;) {
    auto flushed = flush();
    if (!flushed || *flushed == Sent::ReaderGone || !pending()) return flushed;
    const Nanoseconds left = deadline - m_clock.now();
    if (left <= Nanoseconds(0)) return flushed;
    ::Sleep(1);  // not for the stop event, which may be set
  }
}

}  // namespace faultline
