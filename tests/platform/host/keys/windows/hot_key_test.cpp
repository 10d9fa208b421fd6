#include "platform/host/keys/hot_key.h"

#include <windows.h>

#include <catch2/catch_test_macros.hpp>
#include <optional>
#include <string>

using namespace faultline;

namespace {

// What this thread is told next of keys; absent: nothing.
std::optional<MSG> nextTold() {
  MSG message{};
  if (::PeekMessageW(&message, nullptr, WM_HOTKEY, WM_HOTKEY, PM_REMOVE) == 0) return std::nullopt;
  return message;
}

}  // namespace

TEST_CASE("A key of all programs has one holder, is told by its number, and is free again afterwards") {
  {
    auto key = HotKey::take();
    if (!key) SKIP(key.error().message);  // another program of this session has it
    const auto other = HotKey::take();
    REQUIRE_FALSE(other);
    CHECK(other.error().message == "Another program has the key " + std::string(hotKeyName()) + ".");
    int told = 0;
    for (WPARAM number = 0; number < 10; ++number) {
      REQUIRE(::PostThreadMessageW(::GetCurrentThreadId(), WM_HOTKEY, number, 0) != 0);
      const auto message = nextTold();
      REQUIRE(message);
      if (key->pressed(&*message)) ++told;
    }
    CHECK(told == 1);
    const HotKey moved = std::move(*key);
    MSG message{};
    message.message = WM_HOTKEY;
    CHECK_FALSE(key->pressed(&message));
    message.message = WM_NULL;
    message.wParam = 1;
    CHECK_FALSE(moved.pressed(&message));
  }
  ::SetLastError(ERROR_SUCCESS);
  CHECK(::UnregisterHotKey(nullptr, 1) == 0);  // this thread holds it no more
  CHECK(::GetLastError() == ERROR_HOTKEY_NOT_REGISTERED);
}
