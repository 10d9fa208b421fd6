#include "app/cli/frames/game_collector.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/text/quantity.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;

constexpr Nanoseconds kMarkPatience = 500ms;  // for the first mark of a game that runs already

// Reduces CollectorStream::whyEnded() to the sentence that the collector wrote to standard error.
Error bareReason(const Error& why) {
  constexpr std::string_view kSaid = "faultline-collector: ";
  const std::size_t said = why.message.find(kSaid);
  const std::size_t end = why.message.rfind(" Try again, or");
  if (said == std::string::npos || end == std::string::npos || end < said) return why;
  return {why.message.substr(said + kSaid.size(), end - said - kSaid.size())};
}

}  // namespace

GameCollector::GameCollector(const CommonOptions& common, GameCollectorOptions options, std::uint32_t pid, Say say)
    : m_common(common),
      m_options(std::move(options)),
      m_say(std::move(say)),
      m_course(pid, m_options.wishes, std::chrono::steady_clock::now()) {}

std::optional<Nanoseconds> GameCollector::timeUntilStep(Time now) const {
  if (!m_stream) return m_course.pause();
  if (!m_course.waits() || m_stopped) return std::nullopt;
  return std::max<Nanoseconds>(m_course.lookFurtherAt() - now, 0ns);
}

Result<void> GameCollector::step(Time now, const Take& take) {
  if (m_ended) return {};
  if (!m_stream) return search(now, take);
  if (const std::array handles{m_stream->ready()}; waitAny(handles, 0ns) != 0) return receive(now, take);
  if (m_course.waits() && !m_stopped && now >= m_course.lookFurtherAt()) lookFurther(now);
  return {};
}

Result<void> GameCollector::search(Time now, const Take& take) {
  auto choice = m_course.look(now);
  if (m_begun && (m_programEnded || !choice)) return finish(take);
  if (m_programEnded)
    return fail(
        "The program exited before it marked a frame or loaded a library that presents frames. To assume frames of "
        "equal length from its start, use --assume 60.");
  if (!choice) return tl::unexpected(choice.error());
  return *choice ? begin(std::move(**choice)) : Result<void>();
}

Result<void> GameCollector::begin(WatchChoice choice) {
  const Nanoseconds patience = m_options.wishes.started && !m_options.wishes.mark.empty() ? 10s : kMarkPatience;
  auto arguments = watchArguments(choice, patience, m_options.samples, m_options.budget);
  if (m_common.synthetic) arguments.emplace_back("--synthetic");
  auto stream = CollectorStream::start(m_common, std::move(arguments), patience);
  if (!stream) return tl::unexpected(stream.error());
  m_stream.emplace(std::move(*stream));
  m_course.begin(std::move(choice));
  m_helloSeen = false;
  m_state = GameState::Running;
  return {};
}

Result<void> GameCollector::receive(Time now, const Take& take) {
  m_stream->receive();
  while (m_stream && !m_ended) {
    const auto event = m_stream->next();
    if (!event) return tl::unexpected(event.error());
    if (std::holds_alternative<NeedMoreBytes>(*event)) break;
    if (const auto passed = pass(*event, now, take); !passed) return passed;
  }
  return m_stream && m_stream->ended() && !m_ended ? onSilence(now) : Result<void>();
}

Result<void> GameCollector::pass(const StreamEvent& event, Time now, const Take& take) {
  if (std::holds_alternative<StreamEnd>(event)) {
    if (!goesOn()) return finish(take);
    leave(now);
    return {};
  }
  if (const auto* batch = std::get_if<const GameFrameBatch*>(&event)) m_state = (*batch)->state;
  if (const auto* hello = std::get_if<Hello>(&event)) {
    auto other = m_course.greeted(*hello, now);
    onHello(*hello, now);
    if (other) return begin(std::move(*other));
  }
  return m_course.waits() ? Result<void>() : take(event);
}

void GameCollector::onHello(const Hello& hello, Time now) {
  m_helloSeen = true;
  if (!m_begun) m_begun = now;
  m_hello = hello;
  if (m_course.waits()) return;
  const std::string& why = m_course.choice().why;
  if (m_said != why && worthSaying()) m_say(m_course.sentence());
  m_said = why;
}

// The user expects the game's own marks, and knows a rate given with --assume: only other choices are reported.
bool GameCollector::worthSaying() const {
  if (m_course.choice().pid != m_course.pid()) return true;
  return m_course.choice().by != FrameEnd::OwnMarks && m_options.wishes.rate == 0;
}

// A game without a single frame still gets its files: take() receives the Hello held back by receive().
Result<void> GameCollector::finish(const Take& take) {
  m_ended = true;
  if (m_course.waits()) {
    m_say("No frame ended: " + notCalledText(m_course.choice()));
    if (const auto taken = take(m_hello); !taken) return taken;
  }
  return take(StreamEnd{});
}

// The collector ended without StreamEnd: without a Hello it refused the choice; after its Hello it failed.
Result<void> GameCollector::onSilence(Time now) {
  m_stream->stop();
  const Error why = m_stream->whyEnded();
  if (m_helloSeen) return tl::unexpected(why);
  const Error reason = bareReason(why);
  if (m_stopped || !m_course.refused(reason.message, now)) return tl::unexpected(reason);
  m_stream.reset();
  return {};
}

void GameCollector::lookFurther(Time now) {
  if (!m_course.lookedFurther()) m_say(waitingText(m_course.choice()));
  auto other = m_course.lookFurther(now);
  if (!other) return;
  if (const auto begun = begin(std::move(*other)); !begun) m_say(begun.error().message);
}

bool GameCollector::goesOn() const {
  return !m_stopped && !m_programEnded && m_course.goesOn(m_state);
}

void GameCollector::leave(Time now) {
  if (m_state == GameState::ProgramLeft) m_say(fmt::format("{} now runs another program.", m_course.game()));
  m_stream.reset();
  m_said.clear();
  m_course.beginAnew(now);
}

void GameCollector::stop() {
  m_stopped = true;
  if (m_stream) m_stream->stop();
  else m_ended = true;
}

void GameCollector::programEnded() {
  m_programEnded = true;
}

}  // namespace faultline
