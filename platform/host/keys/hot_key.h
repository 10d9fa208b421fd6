// HotKey: a key of all programs, also while a game has the keyboard, on systems that lend one without asking the user.
#pragma once

#include <string_view>
#include <utility>

#include "core/base/result.h"

namespace faultline {

// "Ctrl+Alt+Shift+F9". Empty: this system lends no key, or its desktop asks the user which.
[[nodiscard]] std::string_view hotKeyName();

// Held by the thread that took it, until destroyed there.
class HotKey {
 public:
  // Error: a sentence, such as that another program has the key.
  [[nodiscard]] static Result<HotKey> take();
  ~HotKey();
  HotKey(HotKey&& other) noexcept : m_held(std::exchange(other.m_held, false)) {}
  HotKey& operator=(HotKey&& other) noexcept {
    std::swap(m_held, other.m_held);
    return *this;
  }

  // Whether a message of that thread, as the system's message loop has it, tells that the key was pressed.
  [[nodiscard]] bool pressed(const void* message) const;

 private:
  HotKey() = default;

  bool m_held = true;
};

}  // namespace faultline
