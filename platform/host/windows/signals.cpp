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

constexpr DWORD kPatience = 2000;  // milliseconds
constexpr DWORD kLook = 20;

// What has come and was not taken yet. The event is also what another program sets to end us.
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

// Where a reader takes nothing for so long that nobody looks at signals, they end us.
BOOL waitUntilTaken() {
  for (DWORD waited = 0; waited < kPatience; waited += kLook) {
    if (mailbox().empty()) return TRUE;
    ::Sleep(kLook);
  }
  return controlEvents.stuckWrites == 0 ? TRUE : FALSE;
}

BOOL WINAPI onControlEvent(DWORD type) {
  if (controlEvents.listeners == 0 || controlEvents.asUsual > 0) return FALSE;
  if (type == CTRL_C_EVENT || type == CTRL_BREAK_EVENT) {
    mailbox().put(mailbox().interrupts);
    return waitUntilTaken();
  }
  // The window closes, or the session ends: once we return, or after some seconds, Windows ends us.
  mailbox().put(mailbox().farewells);
  ::Sleep(INFINITE);
  return TRUE;
}

}  // namespace

struct Signals::State {
  Counted listener{controlEvents.listeners};
};

// The handler stays for good: taking it away may wait for one that runs, and that one waits for us.
Result<Signals> Signals::listen() {
  if (!mailbox().event) {
    UniqueHandle event = makeStopEvent();
    if (!event || ::SetConsoleCtrlHandler(onControlEvent, TRUE) == 0)
      return fail("Ctrl-C cannot be received: " + reasonOf(::GetLastError()) + ".");
    mailbox().event = std::move(event);
  }
  return Signals(std::make_unique<State>());
}

Signals::Signals(std::unique_ptr<State> state) : m_state(std::move(state)) {}
Signals::~Signals() = default;
Signals::Signals(Signals&&) noexcept = default;
Signals& Signals::operator=(Signals&&) noexcept = default;

WaitHandle Signals::ready() const {
  return reinterpret_cast<WaitHandle>(mailbox().event.get());
}

// A console's own events are found in the mailbox; another program only sets its event.
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

struct SignalsAsUsual::State {
  Counted wanted{controlEvents.asUsual};
};

SignalsAsUsual::SignalsAsUsual() : m_state(std::make_unique<State>()) {}
SignalsAsUsual::~SignalsAsUsual() = default;

// Nothing ends us when a reader is gone. The C library would take a line's end apart, and a recording with it.
void surviveClosedStreams() {
  for (FILE* const stream : {stdin, stdout, stderr}) ::_setmode(::_fileno(stream), _O_BINARY);
}

// There is no Ctrl-Z here.
void suspendSelf() {}

}  // namespace faultline
