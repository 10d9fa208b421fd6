#include "app/cli/frames/watch.h"

#include <algorithm>

#include "app/cli/text/say.h"
#include "app/cli/text/width.h"
#include "core/advice/text.h"
#include "core/delay/text.h"
#include "core/recording/recording.h"
#include "platform/host/terminal.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;
constexpr auto kRedraw = 200ms;
constexpr Nanoseconds kLateInRecording = 10s;                 // where the window wrote it: once its stack was read
constexpr std::size_t kSampleBytes = std::size_t{64} << 20U;  // the stacks of 8 192 faults take 5 MB
constexpr Nanoseconds kLongestBehind = 2s;                    // so long a frame waits for samples that have queued
constexpr std::size_t kManySamples = 10'000;                  // read for the culprits of one of the worst frames

bool amongWorst(const FrameTally& tally, MonotonicTime start) {
  return std::ranges::any_of(tally.worst, [&](const JudgedFrame& worst) { return worst.frame.start == start; });
}

}  // namespace

FrameWatch::FrameWatch(const FrameRules& rules, FrameFiles files, StreamRecord record)
    : m_session(rules, &m_stacks, kSampleBytes),
      m_files(std::move(files)),
      m_record(std::move(record)),
      m_progressWanted(isTerminal(StandardStream::Error)) {}

void FrameWatch::replay(std::filesystem::path recording, Nanoseconds from, Nanoseconds to) {
  m_recording = std::move(recording);
  m_from = from;
  m_to = to;
}

Result<void> FrameWatch::take(const StreamEvent& event) {
  if (const auto* hello = std::get_if<Hello>(&event))
    if (const auto opened = onHello(*hello); !opened) return opened;
  if (const auto taken = judge(event); !taken) return taken;
  if (const auto earlier = m_session.judgedAnew())
    if (const auto begun = beginAnew(*earlier == 0); !begun) return begun;
  for (const JudgedFrame& judged : m_session.drain()) m_waiting.push_back(judged);
  if (const auto* const batch = std::get_if<const FaultSampleBatch*>(&event)) noteSamples(**batch);
  if (!m_waiting.empty()) {
    const Time began = std::chrono::steady_clock::now();
    const bool ended = std::holds_alternative<StreamEnd>(event);
    if (const auto written = writeUntil(ended ? MonotonicTime{Nanoseconds::max()} : complete()); !written)
      return written;
    if (const auto flushed = m_files.flush(); !flushed) return flushed;
    const Time now = std::chrono::steady_clock::now();
    if (now - began > kLatestSample / 2) m_behindSince = now;
  }
  return m_record.take(event);
}

void FrameWatch::noteSamples(const FaultSampleBatch& batch) {
  for (const FaultSample& sample : batch.samples) m_newestSample = std::max(m_newestSample, sample.time);
  const Nanoseconds now = std::chrono::steady_clock::now().time_since_epoch();
  if (now - m_newestSample.sinceEpoch < kLatestSample / 2) m_behindSince.reset();
}

// Of the frames before this time no sample is to come. While call stacks were read, samples have queued behind frames.
MonotonicTime FrameWatch::complete() const {
  const MonotonicTime newest = m_waiting.back().frame.end();
  if (m_recording) return newest - kLateInRecording;
  const bool behind = m_behindSince && std::chrono::steady_clock::now() - *m_behindSince < kLongestBehind;
  return behind ? std::min(newest - kLatestSample, m_newestSample) : newest - kLatestSample;
}

// A recording may tell the price of a fault after its first frames.
Result<void> FrameWatch::judge(const StreamEvent& event) {
  const auto* const hello = std::get_if<Hello>(&event);
  if (!m_recording || hello == nullptr || !hello->watched || hello->watched->nsPerFault) return m_session.take(event);
  Hello priced = *hello;
  priced.watched->nsPerFault = priceIn(*m_recording, priced.watched->pid);
  return m_session.take(StreamEvent(priced));
}

Result<void> FrameWatch::beginAnew(bool all) {
  m_waiting.clear();
  m_recordedUntil = m_writtenUntil;
  return m_files.beginAnew(exportedGame(), all);
}

// Another game needs another stack reader: before the switch, the old reader resolves the samples received so far.
Result<void> FrameWatch::onHello(const Hello& hello) {
  if (!hello.watched) return {};
  const auto& before = m_session.watched();
  const bool goesOn = before && before->pid == hello.watched->pid &&
                      m_session.totals().state != GameState::ProgramLeft && before->by == hello.watched->by;
  if (!m_started) m_started = std::chrono::steady_clock::now();
  if (goesOn) return {};
  const auto written = writeUntil({Nanoseconds::max()});
  if (!m_recording) m_stacks.open(*hello.watched, hello.source == "synthetic");
  return written;
}

Result<void> FrameWatch::writeUntil(MonotonicTime time) {
  while (!m_waiting.empty() && m_waiting.front().frame.end() <= time) {
    if (const auto written = write(m_waiting.front()); !written) return written;
    m_waiting.pop_front();
  }
  return {};
}

Culprits FrameWatch::culpritsOf(const JudgedFrame& judged) {
  m_written.clear();
  const bool worst = amongWorst(m_session.tally(), judged.frame.start);
  if (!judged.flagged() || (!worst && m_files.none() && !m_record.wanted())) return {};
  const auto samples = m_session.samplesOf(judged.frame.number);
  if (samples.empty()) return {};
  CulpritSearch search = m_session.searchFor(judged, nullptr);
  FaultSampleBatch read{.lost = m_session.totals().lostSamples, .samples = {}};
  const bool kept = m_record.wanted() || !m_files.none();
  const std::size_t most = worst ? kManySamples : m_stacks.areScarce() ? kFewSamples : kEnoughSamples;
  forSomeOf(samples, most, [&](const FaultSample& sample) {
    read.samples.push_back(resolved(sample, &m_stacks));
    search.add(read.samples.back());
    if (!kept) read.samples.clear();
  });
  if (judged.frame.start >= m_recordedUntil) static_cast<void>(m_record.add(read));  // take() repeats an error
  Culprits culprits = search.found();
  m_written = std::move(read.samples);
  if (worst) m_culprits[judged.frame.start] = culprits;
  std::erase_if(m_culprits, [&](const auto& known) { return !amongWorst(m_session.tally(), known.first); });
  return culprits;
}

ExportedGame FrameWatch::exportedGame() const {
  return {*m_session.watched(), FAULTLINE_VERSION, m_session.rules().budget, {}, m_session.pageBytes()};
}

Result<void> FrameWatch::write(const JudgedFrame& judged) {
  const Culprits culprits = culpritsOf(judged);
  m_session.setUsed(judged.frame.number);
  m_writtenUntil = judged.frame.end();
  if (const auto begun = m_files.begin(exportedGame()); !begun) return begun;
  if (!m_first) m_first = judged.frame.start;
  if (!m_firstNumber) m_firstNumber = judged.frame.number;
  const Nanoseconds since = judged.frame.start - *m_first;
  if (since < m_from || since > m_to) return {};
  return m_files.add(judged, culprits, m_session.totals(), m_written);
}

Result<void> FrameWatch::finish() {
  if (!m_started || !m_session.watched()) return {};
  m_session.finish();
  for (const JudgedFrame& judged : m_session.drain()) m_waiting.push_back(judged);
  if (const auto written = writeUntil({Nanoseconds::max()}); !written) return written;
  if (const auto begun = m_files.begin(exportedGame()); !begun) return begun;
  const auto advice = adviceOn(m_session, m_culprits);
  return m_files.end(advice ? adviceJson(*advice, m_program) : std::string(),
                     delayJson(m_session.delays(), m_session.paced()));
}

void FrameWatch::showProgress() {
  const Time now = std::chrono::steady_clock::now();
  if (!m_progressWanted || !m_started || now < m_nextProgress) return;
  m_nextProgress = now + kRedraw;
  m_progressDrawn = true;
  const int columns = terminalSize(StandardStream::Error).value_or(TerminalSize{}).columns;
  sayOverLine(cutTo(sessionSummary(m_session, m_culprits), columns - 1));
}

void FrameWatch::clearProgress() {
  if (m_progressDrawn) sayOverLine({});
  m_progressDrawn = false;
}

std::vector<std::string> FrameWatch::report() const {
  std::vector<std::string> lines = sessionReport(m_session, m_culprits, m_stacks.whyNot(), m_program);
  if (m_files.keepsEarlier())
    lines.emplace_back("What was written before the price of a fault was known has frames that are judged without it.");
  if (std::string recorded = m_record.summary(); !recorded.empty()) lines.push_back(std::move(recorded));
  return lines;
}

}  // namespace faultline
