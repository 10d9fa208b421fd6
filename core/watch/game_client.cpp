#include "core/watch/game_client.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace faultline {
namespace {

// A function that is missing for this long is told: longer than a wrapper takes to execute the game.
constexpr auto kMissingPatience = std::chrono::milliseconds(300);

constexpr std::string_view kEndedUnmarked =
    "The program exited before it marked a frame or loaded a library that presents frames. To assume frames of equal "
    "length from its start, use --assume 60.";

}  // namespace

GameClient::GameClient(GameClientOwner& owner, MarkSource& source, GameClientOptions options)
    : m_owner(owner),
      m_source(source),
      m_options(std::move(options)),
      m_controller(source, m_options.pid, m_options.wishes, {}) {}

void GameClient::begin(Time now) {
  m_controller = WatchController(m_source, m_options.pid, m_options.wishes, now);
  m_better.reset();
  m_due.reset();
  m_lookedFrom = now;
  m_ended = m_stopped = m_missingSaid = false;
  m_state = State::Looking;
  if (m_options.synthetic) launch(watchOwnMarks(m_options.pid));
  else look(now);
}

void GameClient::look(Time now) {
  auto choice = m_controller.look(now);
  if (m_begun && (m_programEnded || !choice)) return finish();
  const std::string& missing = m_controller.missing();
  if (m_programEnded) return fail(missing.empty() ? std::string(kEndedUnmarked) : missing);
  if (!choice && !m_options.mayAssume) return fail(choice.error().message);
  if (!choice) return launch(watchAtRate(m_options.pid, kAssumedRate, choice.error().message));
  if (*choice) return launch(std::move(**choice));
  if (m_options.wishes.started && !m_missingSaid && !missing.empty() && now - m_lookedFrom >= kMissingPatience) {
    m_missingSaid = true;
    m_owner.say(missing + " Waiting up to 10 s for it.");
  }
  m_due = now + m_controller.pause();
}

void GameClient::searchAgain(Time now) {
  if (!std::exchange(m_waitingSaid, true)) m_owner.say(waitingText(choice()));
  if (auto other = m_controller.searchAgain(now)) return launch(std::move(*other));
  m_due = m_controller.searchAgainAt();
}

void GameClient::lookForBetter(Time now) {
  const bool silent = now - m_framesAt >= WatchController::kSilence;
  const auto next = m_controller.lookAgainAt();
  if (silent || (next && now >= *next)) {
    if (auto better = m_controller.lookForBetter(now, silent)) return launch(std::move(*better));
  }
  m_due = m_controller.lookAgainAt();
  if (!silent && m_due) m_due = std::min(*m_due, m_framesAt + WatchController::kSilence);
}

void GameClient::launch(WatchChoice choice) {
  m_due.reset();
  m_decoder = Decoder();
  m_greeted = m_streamEnded = false;
  m_game = GameState::Running;
  m_state = State::Starting;
  m_controller.begin(std::move(choice));
  WatchOptions options = watchOptions(m_controller.choice(), m_options.patience, m_options.samples, m_options.budget);
  options.delay = m_options.delay;
  options.synthetic = m_options.synthetic;
  if (const auto started = m_owner.startCollector(watchArguments(options)); !started) fail(started.error().message);
}

void GameClient::onBytes(std::span<const std::byte> bytes, Time now) {
  m_decoder.feed(bytes);
  while (!m_ended && !m_better) {
    Result<StreamEvent> event = m_decoder.next();
    if (!event && m_decoder.failed()) return fail(event.error().message);
    if (!event) continue;  // the decoder has passed over damage
    if (std::holds_alternative<NeedMoreBytes>(*event)) return;
    if (std::holds_alternative<StreamEnd>(*event)) {
      m_streamEnded = true;
      return;
    }
    if (auto* hello = std::get_if<Hello>(&*event)) setPrice(*hello);
    pass(*event, now);
  }
}

void GameClient::setPrice(Hello& hello) const {
  if (!hello.watched || !m_options.price) return;
  if (const auto price = m_options.price(hello.machine)) hello.watched->nsPerFault = price;
}

void GameClient::pass(const StreamEvent& event, Time now) {
  if (const auto* hello = std::get_if<Hello>(&event)) onHello(*hello, now);
  if (const auto* batch = std::get_if<const GameFrameBatch*>(&event)) {
    m_game = (*batch)->state;
    if (!(*batch)->frames.empty()) m_framesAt = now;
    if (m_game == GameState::ProgramLeft || (m_game == GameState::Exited && goesOn())) m_state = State::ProgramLeft;
    else if (m_game == GameState::Exited) m_state = State::Exited;
  }
  if (m_better || m_controller.waits()) return;
  if (const auto taken = m_owner.take(event); !taken) fail(taken.error().message);
}

void GameClient::onHello(const Hello& hello, Time now) {
  m_hello = hello;
  m_greeted = true;
  if (m_state != State::Watching) m_framesAt = now;
  m_state = State::Watching;
  if (!m_begun) m_begun = now;
  if (m_options.synthetic) return;
  m_better = m_controller.onHello(hello, now);
  m_due = m_better ? now : m_controller.lookAgainAt();
  if (m_better || !m_controller.waits()) {
    if (m_said != choice().why && !m_better && worthSaying()) m_owner.say(m_controller.sentence());
    m_said = choice().why;
    return;
  }
  m_state = State::Waiting;
  m_due = m_controller.searchAgainAt();
}

// Leaves out sentences that repeat the user's own request, or the expected way.
bool GameClient::worthSaying() const {
  if (choice().pid != m_options.pid) return true;
  return choice().by != FrameEnd::OwnMarks && m_options.wishes.rate == 0;
}

void GameClient::onTime(Time now) {
  if (!m_due || now < *m_due || m_ended) return;
  m_due.reset();
  if (m_better) launch(*std::exchange(m_better, std::nullopt));
  else if (m_state == State::Waiting && !m_stopped) searchAgain(now);
  else if (m_state == State::Watching && !m_stopped) lookForBetter(now);
  else if (m_state == State::Looking || m_state == State::ProgramLeft) look(now);
}

void GameClient::onCollectorEnd(const CollectorEnd& end, Time now) {
  if (m_ended) return;
  if (m_streamEnded || m_state == State::ProgramLeft || m_state == State::Exited)
    return goesOn() ? restart(now) : finish();
  const std::string& reason = m_greeted || end.said.empty() ? end.sentence : end.said;
  if (m_greeted || m_stopped || m_options.synthetic) return fail(reason);
  if (auto before = m_controller.goBack()) return launch(std::move(*before));
  m_state = State::Looking;
  if (m_controller.refused(reason, now)) return look(now);
  const bool system = choice().by == FrameEnd::AssumedRate || choice().by == FrameEnd::Log;  // has no other way
  if (!m_options.mayAssume || system) return fail(reason);
  launch(watchAtRate(choice().pid, kAssumedRate, reason));
}

void GameClient::restart(Time now) {
  m_owner.endCollector();
  if (m_game == GameState::ProgramLeft) m_owner.say(fmt::format("{} now runs another program.", m_controller.game()));
  m_said.clear();
  m_state = State::ProgramLeft;
  m_controller.restart(now);
  look(now);
}

// A game that has not drawn once has loaded files and may have faulted: its Hello is given all the same.
void GameClient::finish() {
  if (std::exchange(m_ended, true)) return;
  m_due.reset();
  m_state = State::Exited;
  m_owner.endCollector();
  if (!m_controller.waits()) return;
  m_owner.say("No frame ended: " + notCalledText(choice()));
  if (const auto taken = m_owner.take(m_hello); !taken) m_why = taken.error().message;
}

void GameClient::fail(std::string why) {
  if (std::exchange(m_ended, true)) return;
  m_due.reset();
  m_state = State::Failed;
  m_why = std::move(why);
  m_owner.endCollector();
}

void GameClient::stop() {
  m_stopped = true;
  if (m_state == State::Looking || m_state == State::ProgramLeft) finish();
}

bool GameClient::goesOn() const {
  return !m_stopped && !m_programEnded && !m_options.synthetic && m_controller.goesOn(m_game);
}

}  // namespace faultline
