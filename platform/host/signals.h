// Signals: the wishes that reach a terminal program from outside its stream of keys, as something to wait for.
// While it lives, those signals have no other effect; make one per program, before any child is started.
#pragma once

#include <memory>
#include <optional>

#include "core/base/result.h"
#include "platform/host/wait.h"

namespace faultline {

enum class Signal {
  Interrupt,  // Ctrl-C, Ctrl-Break; a program in the foreground with us has got it as well
  Terminate,  // sent to us alone; on Windows also: the console is closed, the session ends
  Resize,     // of the terminal; on Windows that is told with its keys
  Suspend,    // Ctrl-Z
};

class Signals {
 public:
  [[nodiscard]] static Result<Signals> listen();
  ~Signals();
  Signals(Signals&&) noexcept;
  Signals& operator=(Signals&&) noexcept;

  [[nodiscard]] WaitHandle ready() const;
  [[nodiscard]] std::optional<Signal> next();

 private:
  struct State;
  explicit Signals(std::unique_ptr<State> state);
  std::unique_ptr<State> m_state;
};

// While it lives, signals have their usual effect again: for a while in which nobody could wait for them.
class SignalsAsUsual {
 public:
  SignalsAsUsual();
  ~SignalsAsUsual();
  SignalsAsUsual(const SignalsAsUsual&) = delete;
  SignalsAsUsual& operator=(const SignalsAsUsual&) = delete;

 private:
  struct State;
  std::unique_ptr<State> m_state;
};

// Writing to a reader that is gone becomes an error to handle instead of our end; so does writing to a standard stream
// that our caller has closed, which no file that is opened later can become. From here on what goes through a standard
// stream is bytes, whatever the system makes of lines elsewhere.
void surviveClosedStreams();
// Stops this program as Ctrl-Z does, and returns when it is continued.
void suspendSelf();

}  // namespace faultline
