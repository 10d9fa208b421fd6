#include "platform/host/terminal.h"

#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <span>
#include <system_error>

#include "core/text/printable_text.h"
#include "platform/host/posix/waits/descriptors.h"
#include "platform/host/screen.h"

namespace faultline {
namespace {

constexpr std::array kCrashes{SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL};

// Global, because a signal handler gets no argument.
termios savedMode{};

int descriptor(StandardStream stream) {
  switch (stream) {
    case StandardStream::Input:
      return STDIN_FILENO;
    case StandardStream::Output:
      return STDOUT_FILENO;
    case StandardStream::Error:
      break;
  }
  return STDERR_FILENO;
}

void writeAll(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(STDOUT_FILENO, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

void giveBack() {
  writeAll(kLeaveScreen);
  ::tcsetattr(STDIN_FILENO, TCSADRAIN, &savedMode);
}

extern "C" void onCrash(int signal) {
  giveBack();
  ::raise(signal);  // SA_RESETHAND has restored the default action
}

void setCrashHandlers(void (*handler)(int)) {
  struct sigaction action{};
  action.sa_handler = handler;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_NODEFER);
  for (const int signal : kCrashes) ::sigaction(signal, &action, nullptr);
}

}  // namespace

bool isTerminal(StandardStream stream) {
  return ::isatty(descriptor(stream)) == 1;
}

bool terminalIsDumb() {
  const char* terminal = std::getenv("TERM");
  return terminal == nullptr || *terminal == '\0' || std::string_view(terminal) == "dumb";
}

bool terminalIsUtf8() {
  for (const char* const name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* const locale = std::getenv(name);
    if (locale == nullptr || *locale == '\0') continue;
    return ::strcasestr(locale, ".UTF-8") != nullptr || ::strcasestr(locale, ".utf8") != nullptr;
  }
  return false;
}

std::optional<TerminalSize> terminalSize(StandardStream stream) {
  winsize size{};
  if (::ioctl(descriptor(stream), TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0) return std::nullopt;
  return TerminalSize{.columns = size.ws_col, .rows = size.ws_row};
}

struct FullScreen::State {
  bool shown = false;
  bool gone = false;

  ~State() { leave(); }
  void leave() {
    if (!std::exchange(shown, false)) return;
    giveBack();
    setCrashHandlers(SIG_DFL);
  }
};

Result<FullScreen> FullScreen::enter() {
  if (::tcgetattr(STDIN_FILENO, &savedMode) != 0)
    return fail("The terminal cannot be read: " + std::generic_category().message(errno) + ".");
  FullScreen screen(makeHidden<State>());
  screen.resume();
  return screen;
}

void FullScreen::resume() {
  termios raw = savedMode;
  raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);  // Ctrl-C and Ctrl-Z stay signals
  raw.c_iflag &= ~static_cast<tcflag_t>(IXON);
  raw.c_cc[VMIN] = 1;
  raw.c_cc[VTIME] = 0;
  raw.c_cc[VQUIT] = _POSIX_VDISABLE;  // SIGQUIT would end the process without restoring the terminal
  ::tcsetattr(STDIN_FILENO, TCSADRAIN, &raw);
  setCrashHandlers(onCrash);
  writeAll(kEnterScreen);
  m_state->shown = true;
}

void FullScreen::leave() {
  m_state->leave();
}

void FullScreen::draw(const std::vector<std::string>& lines) {
  const std::string text = screenText(lines);
  writeAll(terminalIsUtf8() ? text : inAscii(text));
}

WaitHandle FullScreen::keysReady() const {
  return m_state->gone ? kNoHandle : STDIN_FILENO;
}

std::vector<Key> FullScreen::keys() {
  std::array<char, 256> buffer{};
  const ssize_t got = readSome(STDIN_FILENO, std::as_writable_bytes(std::span(buffer)));
  if (got <= 0) m_state->gone = true;
  return got > 0 ? parseKeys({buffer.data(), static_cast<std::size_t>(got)}) : std::vector<Key>{};
}

bool FullScreen::gone() const {
  return m_state->gone;
}

}  // namespace faultline
