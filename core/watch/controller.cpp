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
constexpr auto kBackPatience = 10s;  // wait for the first call after a better choice; then the previous one comes back
constexpr auto kYoung = 60s;         // the time in which most games load their libraries
constexpr auto kOften = 3s;          // between looks for a better choice, in that time
constexpr auto kRarely = 60s;        // the same later: a look keeps the game from changing its mappings for a moment

}  // namespace

WatchController::WatchController(MarkSource& source, std::uint32_t pid, MarkWishes wishes, Time now)
    : m_source(&source), m_search(source, pid, std::move(wishes), now) {
  m_choice.pid = pid;
}

Result<std::optional<WatchChoice>> WatchController::look(Time now) {
  return m_search.look(now);
}

void WatchController::begin(WatchChoice choice) {
  if (choice.pid != m_choice.pid) m_endsText.clear();
  m_choice = std::move(choice);
  m_waits = false;
  m_lookAgainAt.reset();
}

std::optional<WatchChoice> WatchController::onHello(const Hello& hello, Time now) {
  if (hello.watched) m_game = fmt::format("{} ({})", printableName(hello.watched->name), hello.watched->pid);
  const bool calls = hello.watched && hello.watched->by == FrameEnd::Function;
  if (calls && hello.watched->handedOut)
    if (auto better = m_search.handedOut(m_choice, *hello.watched->handedOut))
      return hello.watched->mark.empty() ? std::move(*better) : onTrial(std::move(*better), now);
  if (calls && hello.watched->mark.empty()) {
    if (!m_waits) m_searchAgainAt = now + kHitPatience;
    m_waits = true;
    return std::nullopt;
  }
  m_waits = false;
  m_before.reset();
  if (calls) noteEnds(hello.watched->mark);
  if (!m_begun) m_begun = now;
  if (!m_lookAgainAt && (calls || (m_choice.by != FrameEnd::OwnMarks && m_search.mayChoose()))) planLook(now);
  return m_search.betterOwnMarks(m_choice);
}

void WatchController::noteEnds(const std::string& function) {
  if (m_endsText.empty()) m_endsText = fmt::format("Frames end with {}.", printableName(function));
  else if (m_ends != function)
    m_endsText =
        fmt::format("Frames now end with {}, no longer with {}.", printableName(function), printableName(m_ends));
  m_ends = function;
  m_choice.why = m_endsText;
}

void WatchController::planLook(Time now) {
  m_lookAgainAt = now + (now - m_begun.value_or(now) < kYoung ? Nanoseconds(kOften) : Nanoseconds(kRarely));
}

std::optional<WatchChoice> WatchController::lookForBetter(Time now, bool silent) {
  planLook(now);
  auto better = m_search.better(m_choice, m_ends, silent);
  return better ? std::optional(onTrial(std::move(*better), now)) : std::nullopt;
}

// The present choice comes back if no function of `better` is called.
WatchChoice WatchController::onTrial(WatchChoice better, Time now) {
  m_before = m_choice;
  m_backAt = now + kBackPatience;
  return better;
}

std::optional<WatchChoice> WatchController::searchAgain(Time now) {
  m_searchAgainAt = now + kHitPatience * (1U << std::min(m_looks++, kMostDoublings));
  if (m_before && now >= m_backAt) return goBack();
  if (m_before) m_searchAgainAt = std::min(m_searchAgainAt, m_backAt);
  auto other = m_search.searchAgain();
  if (other && m_before && other->pid == m_before->pid && other->functions == m_before->functions) m_before.reset();
  return other;
}

std::optional<WatchChoice> WatchController::goBack() {
  if (!m_before) return std::nullopt;
  WatchChoice back = *std::exchange(m_before, std::nullopt);
  if (back.by == FrameEnd::AssumedRate)
    back.why = fmt::format("Frames of 1/{} s are assumed again: {}", back.rate, notCalledText(m_choice));
  return m_search.again(std::move(back));
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
  m_endsText.clear();
  m_before.reset();
  m_begun.reset();
  m_looks = 0;
  m_search.restart(now);
}

std::string WatchController::sentence() const {
  if (m_choice.pid == pid()) return m_choice.why;
  return fmt::format("Watching {}, which {} has started. {}", m_game, m_source->nameOf(pid()), m_choice.why);
}

}  // namespace faultline
