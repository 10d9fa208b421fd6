#include "platform/host/signals.h"

#include <fcntl.h>
#include <io.h>
#include <windows.h>

#include <cstdio>
#include <mutex>

#include "platform/host/windows/control_events.h"
#include "platform/system/windows/stop_event.h"
#include "platform/system/windows/system_text.h"

namespace faultline {
namespace {

constexpr DWORD kClosingMs = 2000;  // milliseconds
constexpr DWORD kLook = 20;

// The pending signals. Another program sets the event, too, to ask this process to end (stop_event.h).
struct Mailbox {
  std::mutex mutex;
  UniqueHandle event;
  int interrupts = 0;
  int farewells = 0;

  [[nodiscard]] bool empty() {
    const std::lock_guard lock(mutex);
    return interrupts + farewells == 0;
  }
  void put(int& kind) {
    const std::lock_guard lock(mutex);
    ++kind;
    ::SetEvent(event.get());
  }
};

Mailbox& mailbox() {
  static Mailbox box;
  return box;
}

// FALSE makes Windows end the process: a write to a stuck reader has kept the signal from being taken.
BOOL waitUntilTaken() {
  for (DWORD waited = 0; waited < kClosingMs; waited += kLook) {
    if (mailbox().empty()) return TRUE;
    ::Sleep(kLook);
  }
  return controlEvents.stuckWrites == 0 ? TRUE : FALSE;
}

BOOL WINAPI onControlEvent(DWORD type) {
  if (controlEvents.listeners == 0 || controlEvents.defaults > 0) return FALSE;
  if (type == CTRL_C_EVENT || type == CTRL_BREAK_EVENT) {
    mailbox().put(mailbox().interrupts);
    return waitUntilTaken();
  }
  // The console closes or the session ends: Windows ends the process when this handler returns, or after some seconds.
  mailbox().put(mailbox().farewells);
  ::Sleep(INFINITE);
  return TRUE;
}

}  // namespace

struct Signals::State {
  Counted listener{controlEvents.listeners};
};

// The handler is never removed: removal may wait for a running handler, which waits for this thread.
Result<Signals> Signals::listen(bool /*save*/) {
  if (!mailbox().event) {
    UniqueHandle event = makeStopEvent();
    if (!event || ::SetConsoleCtrlHandler(onControlEvent, TRUE) == 0)
      return fail("Ctrl-C cannot be received: " + reasonOf(::GetLastError()) + ".");
    mailbox().event = std::move(event);
  }
  return Signals(makeHidden<State>());
}

WaitHandle Signals::ready() const {
  return reinterpret_cast<WaitHandle>(mailbox().event.get());
}

// Console events are in the mailbox; a stop request by another program is only the event.
std::optional<Signal> Signals::next() {
  Mailbox& box = mailbox();
  const std::lock_guard lock(box.mutex);
  const bool set = ::WaitForSingleObject(box.event.get(), 0) == WAIT_OBJECT_0;
  const bool mail = box.interrupts + box.farewells > 0;
  const bool interrupted = box.interrupts > 0;
  if (interrupted) --box.interrupts;
  else if (mail) --box.farewells;
  if (box.interrupts + box.farewells == 0) ::ResetEvent(box.event.get());
  if (!set && !mail) return std::nullopt;
  return interrupted ? Signal::Interrupt : Signal::Terminate;
}

Interrupt Signals::interrupt() const {
  return {.ready = ready(), .requested = [] {
            return !mailbox().empty() || ::WaitForSingleObject(mailbox().event.get(), 0) == WAIT_OBJECT_0;
          }};
}

struct SaveSignal::State {};

Result<SaveSignal> SaveSignal::listen() {
  return SaveSignal(makeHidden<State>());
}

WaitHandle SaveSignal::ready() const {
  return kNoHandle;
}

void SaveSignal::take() {}

struct DefaultSignals::State {
  Counted wanted{controlEvents.defaults};
};

DefaultSignals::DefaultSignals() : m_state(makeHidden<State>()) {}

void settleSignals() {}

// Windows sends no signal for a closed pipe. Binary mode: the C library would change line ends, and damage recordings.
void tolerateClosedStreams() {
  for (FILE* const stream : {stdin, stdout, stderr}) ::_setmode(::_fileno(stream), _O_BINARY);
}

// Windows has no job control.
void suspendSelf() {}

}  // namespace faultline
