#include "app/cli/stacks/fault_watch.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/culprits/culprits.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kMostSamples = 20'000;  // of each kind: their stacks are read within a second or two
constexpr std::uint32_t kRate = 200;          // of the assumed frames, which nobody sees, and of reading faults
constexpr Nanoseconds kEndPatience = 60s;     // for the collector to end
constexpr Nanoseconds kNextPause = 5ms;       // between looks at a second collector

GameClientOptions clientOptions(const CommonOptions& common, const FaultWatchOptions& options) {
  return {.pid = options.pid,
          .wishes = {.rate = kRate, .started = options.started},
          .samples = options.samples,
          .mayAssume = true,
          .synthetic = common.synthetic && !options.started};
}

}  // namespace

FaultWatch::FaultWatch(const CommonOptions& common, const FaultWatchOptions& options)
    : m_common(common), m_options(options), m_game(common, clientOptions(common, options), [](const std::string&) {}) {}

std::optional<Nanoseconds> FaultWatch::pause() const {
  const auto due = m_game.quiet(Steady::now());
  return m_next ? std::min(due.value_or(kNextPause), kNextPause) : due;
}

void FaultWatch::step() {
  if (ended()) return;
  const auto taken = [this](bool newest) {
    return [this, newest](const StreamEvent& event) { return take(event, newest); };
  };
  if (const auto done = m_game.step(Steady::now(), taken(!m_next)); !done) m_failure = done.error().message;
  if (m_next && !m_next->step(Steady::now(), taken(true))) {
    m_next.reset();  // the faults are counted all the same
    m_open = false;
  }
  if (std::exchange(m_left, false)) watchNextProgram();
}

bool FaultWatch::ended() const {
  return !m_failure.empty() || (m_game.ended() && (!m_next || m_next->ended()));
}

void FaultWatch::stop() {
  m_game.stop();
  if (m_next) m_next->stop();
}

void FaultWatch::programEnded() {
  m_game.programEnded();
  if (m_next) m_next->programEnded();
}

// The call stacks of the program that has gone are read before those of the next one come.
void FaultWatch::watchNextProgram() {
  m_next.emplace(m_common, clientOptions(m_common, {.pid = m_options.pid, .samples = m_options.samples}),
                 [](const std::string&) {});
  static_cast<void>(m_next->step(Steady::now(), [](const StreamEvent&) { return Result<void>(); }));  // begins
  for (Kept& kept : m_kept) {
    for (PackedSample& packed : kept.samples) {
      PackedSample whole = m_store.pack(resolved(m_store.unpack(packed), &m_stacks));
      m_store.drop(packed);
      packed = std::move(whole);
    }
  }
  m_lostBefore += std::exchange(m_lost, 0);
  m_executed = true;
}

void FaultWatch::begin(const Interrupt& interrupt) {
  while (!begun() && !ended() && waitFor(ready(), pause(), interrupt) != Waited::Interrupted) step();
}

void FaultWatch::finish(const Interrupt& interrupt) {
  const auto deadline = Steady::now() + kEndPatience;
  while (!ended()) {
    const Nanoseconds left = deadline - Steady::now();
    if (left <= 0ns) m_failure = "The collector does not end. Check it with 'faultline-cli doctor'.";
    if (waitFor(ready(), std::min(left, pause().value_or(left)), interrupt) == Waited::Interrupted)
      m_failure = "Interrupted.";
    step();
  }
}

// The first collector counts, the newest one reads single faults.
Result<void> FaultWatch::take(const StreamEvent& event, bool newest) {
  const bool first = !m_next || !newest;
  if (const auto* const hello = std::get_if<Hello>(&event); newest && hello != nullptr && hello->watched) take(*hello);
  if (const auto* const frames = std::get_if<const GameFrameBatch*>(&event); first && frames != nullptr) take(**frames);
  if (const auto* const samples = std::get_if<const FaultSampleBatch*>(&event); newest && samples != nullptr)
    take(**samples);
  return {};
}

void FaultWatch::take(const Hello& hello) {
  const bool opens = hello.watched->samples.grade != Grade::Unavailable;
  if (opens == m_open && m_watched) return;
  m_left = m_open && !opens;
  m_open = opens;
  if (!opens && m_watched) return;
  m_watched = hello.watched;
  m_pageBytes = hello.machine.pageBytes;
  m_stacks.open(*m_watched, hello.source == "synthetic");
}

void FaultWatch::take(const GameFrameBatch& batch) {
  for (const GameFrame& frame : batch.frames) {
    m_counted.minor += frame.minorFaults();
    m_counted.major += frame.majorFaults().value_or(0);
    m_from = std::min(m_from, frame.start);
    m_until = std::max(m_until, frame.end());
  }
  m_counted.minor += batch.faultsAfter.value_or(0);
  m_exited = m_exited || batch.state == GameState::Exited;
}

void FaultWatch::take(const FaultSampleBatch& batch) {
  const auto came = static_cast<double>(batch.samples.size());
  if (came == 0) return;
  const auto lost = static_cast<double>(batch.lost - m_lost);
  m_lost = batch.lost;
  const double share = m_options.spreadsLost ? 1 + lost / came : 1;
  for (FaultSample sample : batch.samples) {
    sample.weight = static_cast<std::uint64_t>(std::llround(static_cast<double>(sample.weight) * share));
    keep(sample);
  }
}

void FaultWatch::keep(const FaultSample& sample) {
  m_stacks.notice(sample);
  Kept& kept = m_kept.at(sample.major ? 1 : 0);
  if (!kept.samples.empty() && ++kept.passed < kept.every) {
    kept.samples.back().weight += sample.weight;
    return;
  }
  kept.passed = 0;
  kept.samples.push_back(m_store.pack(sample));
  if (kept.samples.size() >= kMostSamples) thin(kept);
}

void FaultWatch::thin(Kept& kept) {
  std::vector<PackedSample> rest;
  for (std::size_t i = 0; i < kept.samples.size(); ++i) {
    if (i % 2 == 0) {
      rest.push_back(std::move(kept.samples[i]));
    } else {
      rest.back().weight += kept.samples[i].weight;
      m_store.drop(kept.samples[i]);
    }
  }
  kept.samples = std::move(rest);
  kept.every *= 2;
}

std::string FaultWatch::whyNot() const {
  if (!m_watched) return m_failure.empty() ? "The process ended before it was watched." : m_failure;
  const auto& [grade, how, enable, bits] = m_watched->samples;
  if (grade != Grade::Unavailable) return {};
  return how + (how.ends_with('.') ? "" : ".") + (enable.empty() ? "" : " To enable them: " + enable);
}

bool FaultWatch::each() const {
  return lost() == 0 && !m_executed && m_options.samples == SampleMode::All &&
         std::ranges::all_of(m_kept, [](const Kept& kept) { return kept.every == 1; });
}

void FaultWatch::limit(MonotonicTime from, MonotonicTime until) {
  m_from = m_from < m_until ? std::max(m_from, from) : from;
  m_until = m_exited ? until : std::min(m_until, until);
  m_exited = false;
}

void FaultWatch::read(const Use& use) {
  const bool counts = m_from < m_until;  // else no assumed frame has ended
  std::vector<const PackedSample*> inTime;
  for (const Kept& kept : m_kept)
    for (const PackedSample& packed : kept.samples)
      if (!counts || (packed.time >= m_from && (m_exited || packed.time <= m_until))) inTime.push_back(&packed);
  std::ranges::stable_sort(inTime, {}, [](const PackedSample* packed) { return packed->time; });
  for (const PackedSample* const packed : inTime) use(resolved(m_store.unpack(*packed), &m_stacks));
}

}  // namespace faultline
