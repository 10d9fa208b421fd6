#include "core/watch/controller.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/text/quantity.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;

constexpr auto kHitPatience = 2s;  // wait for the first call of a function; doubles with each further search
constexpr unsigned kMostDoublings = 4;

}  // namespace

WatchController::WatchController(MarkSource& source, std::uint32_t pid, MarkWishes wishes, Time now)
    : m_source(&source), m_search(source, pid, std::move(wishes), now) {
  m_choice.pid = pid;
}

Result<std::optional<WatchChoice>> WatchController::look(Time now) {
  return m_search.look(now);
}

void WatchController::begin(WatchChoice choice) {
  m_choice = std::move(choice);
  m_waits = false;
}

std::optional<WatchChoice> WatchController::onHello(const Hello& hello, Time now) {
  if (hello.watched) m_game = fmt::format("{} ({})", printableName(hello.watched->name), hello.watched->pid);
  const bool calls = hello.watched && hello.watched->by == FrameEnd::Function;
  if (calls && hello.watched->mark.empty()) {
    if (!m_waits) m_searchAgainAt = now + kHitPatience;
    m_waits = true;
    return std::nullopt;
  }
  m_waits = false;
  if (calls) m_choice.why = fmt::format("Frames end with {}.", printableName(hello.watched->mark));
  return m_search.betterOwnMarks(m_choice);
}

std::optional<WatchChoice> WatchController::searchAgain(Time now) {
  m_searchAgainAt = now + kHitPatience * (1U << std::min(m_looks++, kMostDoublings));
  return m_search.searchAgain();
}

bool WatchController::refused(const std::string& reason, Time now) {
  return m_search.refused(reason, now);
}

// True after exec, and when a descendant has exited: its parent may start another game.
bool WatchController::goesOn(GameState state) const {
  if (state == GameState::ProgramLeft) return true;
  return state == GameState::Exited && m_choice.pid != pid();
}

void WatchController::restart(Time now) {
  m_waits = false;
  m_looks = 0;
  m_search.restart(now);
}

std::string WatchController::sentence() const {
  if (m_choice.pid == pid()) return m_choice.why;
  return fmt::format("Watching {}, which {} has started. {}", m_game, m_source->nameOf(pid()), m_choice.why);
}

}  // namespace faultline
