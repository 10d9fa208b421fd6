// The terminal we run in, if it is one.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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
[[nodiscard]] bool terminalIsDumb();  // knows neither colours nor places
[[nodiscard]] std::optional<TerminalSize> terminalSize(StandardStream stream);

// A full-screen picture on the terminal's other screen, keys unechoed and at once. What was there before comes back
// when it goes out of scope or this program crashes. One at a time.
class FullScreen {
 public:
  [[nodiscard]] static Result<FullScreen> enter();
  ~FullScreen();
  FullScreen(FullScreen&&) noexcept;
  FullScreen& operator=(FullScreen&&) noexcept;

  void leave();  // gives the terminal back until resume()
  void resume();
  void draw(const std::vector<std::string>& lines);  // from the top left; whatever was below or right of them goes
  [[nodiscard]] WaitHandle keysReady() const;
  [[nodiscard]] std::vector<Key> keys();  // those pressed since the last call; blocks unless keysReady()
  [[nodiscard]] bool gone() const;        // the terminal was closed

 private:
  struct State;
  explicit FullScreen(std::unique_ptr<State> state);
  std::unique_ptr<State> m_state;
};

}  // namespace faultline
