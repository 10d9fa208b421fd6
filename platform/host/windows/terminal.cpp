#include "platform/host/terminal.h"

#include <windows.h>

#include <array>
#include <csignal>

#include "platform/host/nt/console_keys.h"
#include "platform/host/screen.h"
#include "platform/host/windows/console.h"
#include "platform/system/windows/system_text.h"

namespace faultline {
namespace {

// Global, because a crash handler gets no argument.
DWORD savedMode = 0;

void giveBack() {
  writeToConsole(StandardStream::Output, kLeaveScreen);
  ::SetConsoleMode(handleOf(StandardStream::Input), savedMode);
}

LONG WINAPI onException(EXCEPTION_POINTERS* /*exception*/) {
  giveBack();
  return EXCEPTION_CONTINUE_SEARCH;
}

extern "C" void onAbort(int /*signal*/) {
  giveBack();  // abort() then ends the process
}

void setCrashHandlers(bool wanted) {
  ::SetUnhandledExceptionFilter(wanted ? onException : nullptr);
  static_cast<void>(std::signal(SIGABRT, wanted ? onAbort : SIG_DFL));
}

}  // namespace

bool isTerminal(StandardStream stream) {
  return consoleMode(stream).has_value();
}

// Consoles before Windows 10 1607, and later ones in legacy mode, do not support escape sequences.
bool terminalIsUtf8() {
  return true;
}

bool terminalIsDumb() {
  for (const StandardStream stream : {StandardStream::Output, StandardStream::Error}) {
    const auto before = consoleMode(stream);
    if (!before) continue;
    const bool knows = ::SetConsoleMode(handleOf(stream), *before | ENABLE_VIRTUAL_TERMINAL_PROCESSING) != 0;
    ::SetConsoleMode(handleOf(stream), *before);
    return !knows;
  }
  return true;
}

std::optional<TerminalSize> terminalSize(StandardStream stream) {
  CONSOLE_SCREEN_BUFFER_INFO info{};
  if (::GetConsoleScreenBufferInfo(handleOf(stream), &info) == 0) return std::nullopt;
  return TerminalSize{.columns = info.srWindow.Right - info.srWindow.Left + 1,
                      .rows = info.srWindow.Bottom - info.srWindow.Top + 1};
}

struct FullScreen::State {
  ConsoleKeys keys;
  bool shown = false;
  bool gone = false;

  ~State() { leave(); }
  void leave() {
    if (!std::exchange(shown, false)) return;
    giveBack();
    setCrashHandlers(false);
  }
};

Result<FullScreen> FullScreen::enter() {
  const auto mode = consoleMode(StandardStream::Input);
  if (!mode) return fail("The console cannot be read: " + reasonOf(::GetLastError()) + ".");
  savedMode = *mode;
  FullScreen screen(makeHidden<State>());
  screen.resume();
  return screen;
}

// Read keys as records, which are equal on all consoles, not as escape sequences. A resize is a record, too.
void FullScreen::resume() {
  constexpr DWORD kOff = ENABLE_LINE_INPUT | ENABLE_ECHO_INPUT | ENABLE_MOUSE_INPUT | ENABLE_VIRTUAL_TERMINAL_INPUT;
  ::SetConsoleMode(handleOf(StandardStream::Input), (savedMode & ~kOff) | ENABLE_PROCESSED_INPUT | ENABLE_WINDOW_INPUT);
  setCrashHandlers(true);
  writeToConsole(StandardStream::Output, kEnterScreen);
  m_state->shown = true;
}

void FullScreen::leave() {
  m_state->leave();
}

void FullScreen::draw(const std::vector<std::string>& lines) {
  writeToConsole(StandardStream::Output, screenText(lines));
}

WaitHandle FullScreen::keysReady() const {
  return m_state->gone ? kNoHandle : reinterpret_cast<WaitHandle>(handleOf(StandardStream::Input));
}

std::vector<Key> FullScreen::keys() {
  std::array<INPUT_RECORD, 128> records{};
  DWORD got = 0;
  m_state->gone = ::ReadConsoleInputW(handleOf(StandardStream::Input), records.data(),
                                      static_cast<DWORD>(records.size()), &got) == 0;
  std::vector<ConsoleKey> pressed;
  for (const INPUT_RECORD& record : std::span(records).first(got)) {
    if (record.EventType != KEY_EVENT) continue;
    const KEY_EVENT_RECORD& key = record.Event.KeyEvent;
    // A character typed as Alt + digits comes with the release of Alt.
    const bool composed = key.wVirtualKeyCode == VK_MENU && key.uChar.UnicodeChar != 0;
    if (key.bKeyDown == 0 && !composed) continue;
    const ConsoleKey told{.code = key.wVirtualKeyCode, .character = static_cast<char16_t>(key.uChar.UnicodeChar)};
    pressed.insert(pressed.end(), std::max<WORD>(key.wRepeatCount, 1), told);
  }
  return m_state->keys.tell(pressed);
}

bool FullScreen::gone() const {
  return m_state->gone;
}

}  // namespace faultline
