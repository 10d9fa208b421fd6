#include "app/cli/frames/game_watch.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/text/quantity.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;

constexpr Nanoseconds kMarkPatience = 500ms;  // of a collector, for a mark that is being made

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
      m_course(pid, m_options.wishes, std::chrono::steady_clock::now()) {}

std::optional<Nanoseconds> GameWatch::quiet(Time now) const {
  if (!m_stream) return m_course.pause();
  if (!m_course.waits() || m_stopped) return std::nullopt;
  return std::max<Nanoseconds>(m_course.lookFurtherAt() - now, 0ns);
}

Result<void> GameWatch::step(Time now, const Take& take) {
  if (m_ended) return {};
  if (!m_stream) return search(now, take);
  if (const std::array handles{m_stream->ready()}; waitAny(handles, 0ns) != 0) return receive(now, take);
  if (m_course.waits() && !m_stopped && now >= m_course.lookFurtherAt()) lookFurther(now);
  return {};
}

Result<void> GameWatch::search(Time now, const Take& take) {
  auto choice = m_course.look(now);
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
  m_stream.emplace(std::move(*stream));
  m_course.begin(std::move(choice));
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
    auto other = m_course.greeted(*hello, now);
    greet(*hello, now);
    if (other) return begin(std::move(*other));
  }
  return m_course.waits() ? Result<void>() : take(event);
}

void GameWatch::greet(const Hello& hello, Time now) {
  m_greeted = true;
  if (!m_begun) m_begun = now;
  m_hello = hello;
  if (m_course.waits()) return;
  const std::string& why = m_course.choice().why;
  if (m_said != why && worthSaying()) m_say(m_course.sentence());
  m_said = why;
}

// What a person has asked for, or expects, goes without saying.
bool GameWatch::worthSaying() const {
  if (m_course.choice().pid != m_course.pid()) return true;
  return m_course.choice().by != FrameEnd::OwnMarks && m_options.wishes.rate == 0;
}

// A game that has not drawn once has its files, too.
Result<void> GameWatch::finish(const Take& take) {
  m_ended = true;
  if (m_course.waits()) {
    m_say("No frame has ended: " + notCalledText(m_course.choice()));
    if (const auto taken = take(m_hello); !taken) return taken;
  }
  return take(StreamEnd{});
}

// The collector is gone without a word of farewell: it has refused, or has failed.
Result<void> GameWatch::onSilence(Time now) {
  m_stream->stop();
  const Error why = m_stream->whyEnded();
  if (m_greeted) return tl::unexpected(why);
  const Error reason = bareReason(why);
  if (m_stopped || !m_course.refused(reason.message, now)) return tl::unexpected(reason);
  m_stream.reset();
  return {};
}

void GameWatch::lookFurther(Time now) {
  if (!m_course.lookedFurther()) m_say(waitingText(m_course.choice()));
  auto other = m_course.lookFurther(now);
  if (!other) return;
  if (const auto begun = begin(std::move(*other)); !begun) m_say(begun.error().message);
}

bool GameWatch::goesOn() const {
  return !m_stopped && !m_programEnded && m_course.goesOn(m_state);
}

void GameWatch::leave(Time now) {
  if (m_state == GameState::ProgramLeft) m_say(fmt::format("{} runs another program now.", m_course.game()));
  m_stream.reset();
  m_said.clear();
  m_course.beginAnew(now);
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
