#include "app/cli/frames/run_stacks.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/cli/frames/source_lines.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kMostSamples = 20'000;  // whose stacks are read within a second or two
constexpr std::uint32_t kRate = 200;          // of the assumed frames, which nobody sees, and of reading faults
constexpr Nanoseconds kPatience = 60s;        // for the collector to end with the program

}  // namespace

RunStacks::RunStacks(const CommonOptions& common, double faults)
    : m_common(common), m_mode(faults > static_cast<double>(kMostSamples) ? SampleMode::Some : SampleMode::All) {}

TrialWatch RunStacks::watch() {
  return {.begin =
              [this](std::uint32_t pid) {
                const GameClientOptions options{
                    .pid = pid, .wishes = {.rate = kRate, .started = true}, .samples = m_mode, .mayAssume = true};
                m_game.emplace(m_common, options, [](const std::string&) {});
              },
          .ready = [this] { return m_game->ready(); },
          .pause = [this] { return m_game->quiet(Steady::now()); },
          .step = [this] { return step(); }};
}

TrialWish RunStacks::step() {
  if (m_failure.empty())
    if (const auto done = m_game->step(Steady::now(), [this](const StreamEvent& event) { return take(event); }); !done)
      m_failure = done.error().message;
  return m_failure.empty() && m_game->starting() ? TrialWish::Hold : TrialWish::Run;
}

Result<void> RunStacks::take(const StreamEvent& event) {
  if (const auto* const hello = std::get_if<Hello>(&event); hello != nullptr && hello->watched && !m_watched) {
    m_watched = hello->watched;
    m_stacks.open(*m_watched, false);
  }
  const auto* const batch = std::get_if<const FaultSampleBatch*>(&event);
  if (batch == nullptr) return {};
  // Samples are lost where many come at once: those of the same moment stand for them.
  const auto came = static_cast<double>((*batch)->samples.size());
  const auto lost = static_cast<double>((*batch)->lost - m_lost);
  if (came == 0) return {};
  m_lost = (*batch)->lost;
  for (FaultSample sample : (*batch)->samples) {
    sample.weight = static_cast<std::uint64_t>(std::llround(static_cast<double>(sample.weight) * (1 + lost / came)));
    keep(sample);
  }
  return {};
}

void RunStacks::keep(const FaultSample& sample) {
  m_stacks.notice(sample);
  if (m_seen++ % m_every != 0) return;
  m_samples.push_back(m_store.pack(sample));
  if (m_samples.size() < kMostSamples) return;
  std::vector<PackedSample> kept;
  for (std::size_t i = 0; i < m_samples.size(); ++i)
    if (i % 2 == 0) kept.push_back(std::move(m_samples[i]));
    else m_store.drop(m_samples[i]);
  m_samples = std::move(kept);
  m_every *= 2;
}

CallSites RunStacks::read() {
  SiteCount count(sourceRoot(), sourceLine);
  std::ranges::stable_sort(m_samples, {}, [](const PackedSample& packed) { return packed.time; });
  for (const PackedSample& packed : m_samples) {
    FaultSample sample = m_store.unpack(packed);
    sample.weight *= m_every;
    count.add(m_stacks.resolved(std::move(sample)));
  }
  CallSites found = count.found();
  found.each = m_every == 1 && m_lost == 0 && m_mode == SampleMode::All;
  if (found.sites.empty())
    found.whyNot = m_stacks.whyNot().empty() ? "No page fault of the program was sampled." : m_stacks.whyNot();
  return found;
}

CallSites RunStacks::finish(const Interrupt& interrupt) {
  if (!m_game) return {.whyNot = "The program could not be held at its start, as it gains rights when it is executed."};
  m_game->programEnded();
  const auto deadline = Steady::now() + kPatience;
  while (!m_game->ended() && m_failure.empty()) {
    const Nanoseconds left = deadline - Steady::now();
    if (left <= 0ns) m_failure = "The collector does not end with the program. Check it with 'faultline-cli doctor'.";
    const Nanoseconds pause = std::min(left, m_game->quiet(Steady::now()).value_or(left));
    if (waitFor(m_game->ready(), pause, interrupt) == Waited::Interrupted) m_failure = "Interrupted.";
    static_cast<void>(step());
  }
  if (!m_watched) return {.whyNot = m_failure.empty() ? "The program ended before it was watched." : m_failure};
  const auto& [grade, how, enable, bits] = m_watched->samples;
  if (grade == Grade::Unavailable)
    return {.whyNot = how + (how.ends_with('.') ? "" : ".") + (enable.empty() ? "" : " To enable them: " + enable)};
  return read();
}

}  // namespace faultline
