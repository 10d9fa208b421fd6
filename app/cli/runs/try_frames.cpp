#include "app/cli/runs/try_frames.h"

#include <algorithm>
#include <utility>

namespace faultline {
namespace {

using namespace std::chrono_literals;
// For the last frames of a program that has ended: before them, the kernel removes the collector's programs, for which
// dozens of others that end at the same time may keep it waiting.
constexpr Nanoseconds kPatience = 60s;

}  // namespace

RunFrames::RunFrames(const CommonOptions& common, const FrameWishes& wishes, PolledGame::Say say)
    : m_common(common), m_wishes(wishes), m_say(std::move(say)) {}

TrialWatch RunFrames::watch() {
  return {.begin = [this](std::uint32_t pid) { begin(pid); },
          .ready = [this] { return m_game->ready(); },
          .pause = [this] { return pause(); },
          .step = [this] { return step(); }};
}

void RunFrames::begin(std::uint32_t pid) {
  const GameClientOptions options{
      .pid = pid, .wishes = {.mark = m_wishes.mark, .started = true}, .samples = SampleMode::None};
  m_game.emplace(m_common, options, m_say);
}

TrialWish RunFrames::step() {
  if (!m_failure) {
    const auto done = m_game->step(Steady::now(), [this](const StreamEvent& event) { return take(event); });
    if (!done) m_failure = done.error();
  }
  const auto left = timeLeft();
  if (m_failure || m_assumed || (left && *left <= 0ns)) return TrialWish::End;
  return m_game->starting() ? TrialWish::Hold : TrialWish::Run;
}

std::optional<Nanoseconds> RunFrames::timeLeft() const {
  if (m_wishes.duration == 0ns || !m_game->begun()) return std::nullopt;
  return *m_game->begun() + m_wishes.duration - Steady::now();
}

std::optional<Nanoseconds> RunFrames::pause() const {
  const auto left = timeLeft();
  const auto due = m_game->quiet(Steady::now());
  return left && *left > 0ns && due ? std::min(*left, *due) : due ? due : left;
}

Result<void> RunFrames::take(const StreamEvent& event) {
  if (const auto taken = m_session.take(event); !taken) return taken;
  m_assumed = m_session.watched() && m_session.watched()->by == FrameEnd::AssumedRate;
  if (m_session.judgedAnew()) m_sum = {};
  for (const JudgedFrame& judged : m_session.drain()) m_sum.add(judged);
  return {};
}

Result<std::optional<FrameFigures>> RunFrames::finish(const TrialSample& sample, const Interrupt& interrupt) {
  if (!m_game) return std::nullopt;
  m_game->programEnded();
  const auto deadline = Steady::now() + kPatience;
  while (!m_game->ended() && !m_failure && !m_assumed) {
    const Nanoseconds left = deadline - Steady::now();
    if (left <= 0ns) return fail("The collector does not end with the program. Check it with 'faultline-cli doctor'.");
    const Nanoseconds pause = std::min(left, m_game->quiet(Steady::now()).value_or(left));
    if (waitFor(m_game->ready(), pause, interrupt) == Waited::Interrupted) return fail("Interrupted.");
    static_cast<void>(step());
  }
  if (m_failure && (m_game->begun() || sample.ended)) return tl::unexpected(*m_failure);
  return m_assumed ? std::nullopt : m_sum.figures();
}

std::string RunFrames::whyNone() const {
  if (m_failure && !m_wishes.mark.empty()) return m_failure->message;
  return "No frame has ended. Name the function that ends a frame (--mark FILE:FUNCTION), or let the program call "
         "faultline_frame() of faultline_frame.h.";
}

}  // namespace faultline
