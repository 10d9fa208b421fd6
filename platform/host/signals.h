// Signals: receives signals (on Windows: console events) as something to wait for. While the object lives, the signals
// have no other effect. Create one per program, before any child process.
#pragma once

#include <optional>
#include <utility>

#include "core/base/hidden.h"
#include "core/base/result.h"
#include "platform/host/wait.h"

namespace faultline {

enum class Signal {
  Interrupt,  // Ctrl-C, Ctrl-Break; sent to all processes in the foreground
  Terminate,  // sent to this process alone; on Windows also: the console is closed, the session ends
  Resize,     // of the terminal; not on Windows, where FullScreen::keys() returns for a resize
  Suspend,    // Ctrl-Z; not on Windows
  Save,       // SIGUSR1, if it is listened to; not on Windows
};

class Signals {
 public:
  // `save`: to Signal::Save, too, which otherwise ends the program.
  [[nodiscard]] static Result<Signals> listen(bool save = false);

  [[nodiscard]] WaitHandle ready() const;
  [[nodiscard]] std::optional<Signal> next();
  // For waits that do not call next(): requested while Interrupt or Terminate waits for next(). Asking takes other
  // signals: it drops Resize and Save, and obeys Suspend.
  [[nodiscard]] Interrupt interrupt() const;
  // The same, but asking takes all signals. Valid while this object stays in its place.
  [[nodiscard]] Interrupt takingInterrupt() {
    return {.ready = ready(), .requested = [this] {
              bool requested = false;
              while (const auto signal = next())
                requested |= *signal == Signal::Interrupt || *signal == Signal::Terminate;
              return requested;
            }};
  }

 private:
  struct State;
  explicit Signals(Hidden<State> state) : m_state(std::move(state)) {}
  Hidden<State> m_state;
};

// SIGUSR1 alone, for a program with threads and children of its own, which do not inherit it. One per program. On
// Windows it is never ready.
class SaveSignal {
 public:
  [[nodiscard]] static Result<SaveSignal> listen();

  [[nodiscard]] WaitHandle ready() const;
  void take();  // all that have come

 private:
  struct State;
  explicit SaveSignal(Hidden<State> state) : m_state(std::move(state)) {}
  Hidden<State> m_state;
};

// While it lives, signals have their usual effect again: for blocking calls during which Signals is not polled.
class DefaultSignals {
 public:
  DefaultSignals();

 private:
  struct State;
  Hidden<State> m_state;
};

// For a program that writes files and has children: makes writing beyond the limit of a file's size (ulimit -f) an
// error (EFBIG) instead of a fatal signal, and lets the system keep the ends of children, also where this program has
// inherited SIGCHLD ignored. Call it before any child process. Nothing on Windows.
void settleSignals();
// Makes writing to a closed pipe an error (EPIPE) instead of a fatal signal. Opens /dev/null for each closed standard
// stream, so that no later file becomes a standard stream. Sets the standard streams to binary mode on Windows.
void tolerateClosedStreams();
// Stops this process (SIGSTOP) and returns when it is continued; does nothing on Windows.
void suspendSelf();

}  // namespace faultline
