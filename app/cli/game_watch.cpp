#include "app/cli/game_watch.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/text/quantity.h"
#include "platform/desktop/processes.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;

constexpr Nanoseconds kMarkPatience = 500ms;  // of a collector, for a mark that is being made
constexpr auto kHitPatience = 2s;             // for the first call of a function, before others are tried
constexpr unsigned kMostDoublings = 4;

// Of all that a collector says of its end, the sentence that it said itself.
Error bareReason(const Error& why) {
  constexpr std::string_view kSaid = "faultline-collector: ";
  const std::size_t said = why.message.find(kSaid);
  const std::size_t end = why.message.rfind(" Start this again");
  if (said == std::string::npos || end == std::string::npos || end < said) return why;
  return {why.message.substr(said + kSaid.size(), end - said - kSaid.size())};
}

}  // namespace

GameWatch::GameWatch(const CommonOptions& common, GameWatchOptions options, std::uint32_t pid, Say say)
    : m_common(common),
      m_options(std::move(options)),
      m_say(std::move(say)),
      m_search(pid, m_options.wishes, std::chrono::steady_clock::now()) {}

std::optional<Nanoseconds> GameWatch::quiet(Time now) const {
  if (!m_stream) return m_search.pause();
  if (!m_held || m_stopped) return std::nullopt;
  return std::max<Nanoseconds>(m_lookFurther - now, 0ns);
}

Result<void> GameWatch::step(Time now, const Take& take) {
  if (m_ended) return {};
  if (!m_stream) return search(now, take);
  if (const std::array handles{m_stream->ready()}; waitAny(handles, 0ns) != 0) return receive(now, take);
  if (m_held && !m_stopped && now >= m_lookFurther) lookFurther(now);
  return {};
}

Result<void> GameWatch::search(Time now, const Take& take) {
  auto choice = m_search.look(now);
  if (m_begun && (m_programEnded || !choice)) return finish(take);
  if (m_programEnded)
    return fail(
        "The program has exited before it marked a frame, or had a library whose functions end them. To take "
        "frames of an assumed length from its start, use --assume 60.");
  if (!choice) return tl::unexpected(choice.error());
  return *choice ? begin(std::move(**choice)) : Result<void>();
}

Result<void> GameWatch::begin(WatchChoice choice) {
  const Nanoseconds patience = m_options.wishes.started && !m_options.wishes.mark.empty() ? 10s : kMarkPatience;
  auto arguments = watchArguments(choice, patience, m_options.samples, m_options.budget);
  if (m_common.demo) arguments.emplace_back("--synthetic");
  auto stream = LiveStream::start(m_common, std::move(arguments), patience);
  if (!stream) return tl::unexpected(stream.error());
  m_stream.reset();
  m_stream.emplace(std::move(*stream));
  m_choice = std::move(choice);
  m_held.reset();
  m_greeted = false;
  m_state = GameState::Running;
  return {};
}

Result<void> GameWatch::receive(Time now, const Take& take) {
  m_stream->receive();
  while (m_stream && !m_ended) {
    const auto event = m_stream->next();
    if (!event) return tl::unexpected(event.error());
    if (std::holds_alternative<NeedMoreBytes>(*event)) break;
    if (const auto passed = pass(*event, now, take); !passed) return passed;
  }
  return m_stream && m_stream->ended() && !m_ended ? onSilence(now) : Result<void>();
}

Result<void> GameWatch::pass(const StreamEvent& event, Time now, const Take& take) {
  if (std::holds_alternative<StreamEnd>(event)) {
    if (!goesOn()) return finish(take);
    leave(now);
    return {};
  }
  if (const auto* batch = std::get_if<const GameFrameBatch*>(&event)) m_state = (*batch)->state;
  if (const auto* hello = std::get_if<Hello>(&event)) {
    greet(*hello, now);
    if (auto own = m_held ? std::nullopt : m_search.ownInstead(m_choice)) return begin(std::move(*own));
  }
  return m_held ? Result<void>() : take(event);
}

// Until a function that may end frames has been called, nobody knows which of them does.
void GameWatch::greet(const Hello& hello, Time now) {
  m_greeted = true;
  if (hello.watched) m_game = fmt::format("{} ({})", printableName(hello.watched->name), hello.watched->pid);
  if (!m_begun) m_begun = now;
  const bool calls = hello.watched && hello.watched->method == "uprobe";
  if (calls && hello.watched->mark.empty()) {
    if (!m_held) m_lookFurther = now + kHitPatience;
    m_held = hello;
    return;
  }
  m_held.reset();
  if (calls) m_choice.why = fmt::format("Frames end with {}.", printableName(hello.watched->mark));
  if (m_said != m_choice.why && worthSaying()) sayChoice();
  m_said = m_choice.why;
}

// What a person has asked for, or expects, goes without saying.
bool GameWatch::worthSaying() const {
  if (m_choice.pid != m_search.pid()) return true;
  return m_choice.by != FrameEnd::OwnMarks && m_options.wishes.rate == 0;
}

void GameWatch::sayChoice() const {
  if (m_choice.pid == m_search.pid()) return m_say(m_choice.why);
  m_say(fmt::format("{}, which {} has started, is watched. {}", m_game, nameProcess(m_search.pid()), m_choice.why));
}

// A game that has not drawn once has its files, too.
Result<void> GameWatch::finish(const Take& take) {
  m_ended = true;
  if (m_held) {
    m_say("No frame has ended: " + notCalledText(m_choice));
    if (const auto taken = take(*m_held); !taken) return taken;
  }
  return take(StreamEnd{});
}

// The collector is gone without a word of farewell: it has refused, or has failed.
Result<void> GameWatch::onSilence(Time now) {
  m_stream->stop();
  const Error why = m_stream->whyEnded();
  if (m_greeted) return tl::unexpected(why);
  const Error reason = bareReason(why);
  if (m_stopped || !m_search.refused(reason.message, now)) return tl::unexpected(reason);
  m_stream.reset();
  return {};
}

void GameWatch::lookFurther(Time now) {
  if (m_looks == 0) m_say(waitingText(m_choice));
  m_lookFurther = now + kHitPatience * (1U << std::min(m_looks++, kMostDoublings));
  auto other = m_search.lookFurther();
  if (!other) return;
  if (const auto begun = begin(std::move(*other)); !begun) m_say(begun.error().message);
}

// Another program in the same process, or a wrapper that has outlived the game, or what it took for one.
bool GameWatch::goesOn() const {
  if (m_stopped || m_programEnded) return false;
  if (m_state == GameState::ProgramLeft) return true;
  return m_state == GameState::Exited && m_choice.pid != m_search.pid();
}

void GameWatch::leave(Time now) {
  if (m_state == GameState::ProgramLeft) m_say(fmt::format("{} runs another program now.", m_game));
  m_stream.reset();
  m_held.reset();
  m_said.clear();
  m_looks = 0;
  m_search.beginAnew(now);
}

void GameWatch::stop() {
  m_stopped = true;
  if (m_stream) m_stream->stop();
  else m_ended = true;
}

void GameWatch::programEnded() {
  m_programEnded = true;
}

}  // namespace faultline
