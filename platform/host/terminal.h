// The terminal of this process, if there is one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/hidden.h"
#include "core/base/result.h"
#include "platform/host/key.h"
#include "platform/host/wait.h"

namespace faultline {

enum class StandardStream { Input, Output, Error };

struct TerminalSize {
  int columns = 80;
  int rows = 24;

  bool operator==(const TerminalSize&) const = default;
};

[[nodiscard]] bool isTerminal(StandardStream stream);
[[nodiscard]] bool terminalIsDumb();  // supports no escape sequences
[[nodiscard]] bool terminalIsUtf8();  // by LC_ALL, LC_CTYPE or LANG; on Windows the console is set so
[[nodiscard]] std::optional<TerminalSize> terminalSize(StandardStream stream);

// The terminal's alternate screen, with unbuffered keys and no echo. Its end and the crash handlers restore the
// terminal. At most one at a time.
class FullScreen {
 public:
  [[nodiscard]] static Result<FullScreen> enter();

  void leave();  // restores the terminal until resume()
  void resume();
  void draw(const std::vector<std::string>& lines);  // from the top left; erases the rest of the screen
  [[nodiscard]] WaitHandle keysReady() const;
  [[nodiscard]] std::vector<Key> keys();  // pressed since the last call; blocks unless keysReady()
  [[nodiscard]] bool gone() const;        // the terminal was closed

 private:
  struct State;
  explicit FullScreen(Hidden<State> state) : m_state(std::move(state)) {}
  Hidden<State> m_state;
};

}  // namespace faultline
