#include "core/frames/game_session.h"

#include <fmt/format.h>

#include <utility>

#include "core/frames/fault_path.h"
#include "core/frames/session_numbers.h"
#include "core/text/quantity.h"

namespace faultline {
namespace {

constexpr std::size_t kRemembered = 16'384;  // samples; about a millisecond
constexpr unsigned kRest = 4;                // batches without a frame in turn: at least two seconds without one

}  // namespace

GameSession::GameSession(const FrameRules& rules, StackReader* reader, std::size_t sampleBytes,
                         const GameSession* before)
    : m_judge(rules), m_reader(reader), m_samples(sampleBytes) {
  if (before == nullptr) return;
  m_numbers = before->m_numbers;
  m_newest = before->m_newest;
}

Result<void> GameSession::take(const StreamEvent& event) {
  if (const auto* hello = std::get_if<Hello>(&event)) return take(*hello);
  if (const auto* frames = std::get_if<const GameFrameBatch*>(&event)) take(**frames);
  if (const auto* samples = std::get_if<const FaultSampleBatch*>(&event)) take(**samples);
  m_ended = m_ended || std::holds_alternative<StreamEnd>(event);
  if (m_ended) finish();
  return {};
}

Result<void> GameSession::take(const Hello& hello) {
  if (!hello.watched)
    return fail("The collector does not watch a game. Install collector and program of the same version.");
  const bool goesOn = m_watched && m_watched->pid == hello.watched->pid && m_watched->by == hello.watched->by &&
                      m_totals.state == GameState::Running;
  m_mayGap = m_watched && m_watched->pid == hello.watched->pid && m_totals.state == GameState::Running;
  FrameRules rules = m_judge.rules();
  if (!goesOn) beginGame(rules);
  // One game has one price: that of a further collector differs by noise, and its frames were judged by the first.
  const bool first = !goesOn || (!rules.nsPerFault && !m_priceless);
  if (first) rules.nsPerFault = hello.watched->nsPerFault;
  m_watched = hello.watched;
  m_pageBytes = hello.machine.pageBytes;
  m_watched->nsPerFault = rules.nsPerFault;
  rules.timesAreMeasured = m_watched->by != FrameEnd::AssumedRate;
  rules.sleepIsMeasured = m_watched->faultParts.grade != Grade::Unavailable;
  m_judge.change(rules);
  if (first && goesOn && rules.nsPerFault) judgeAnew();
  return {};
}

void GameSession::beginGame(const FrameRules& rules) {
  finish();
  m_judge = FrameJudge(rules);
  m_unpriced.clear();
  m_priceless = false;
  m_earlierTally = m_tally;
  m_earlierEvidence = m_samples.evidence();
  m_kept = 0;
}

void GameSession::judgeAnew() {
  m_judge = FrameJudge(m_judge.rules());
  m_tally = m_earlierTally;
  m_samples.judgeAnew(m_earlierEvidence);
  m_fresh.clear();
  m_repeated = m_kept;
  m_anew = m_earlierTally.frames;
  const FrameJudge::Sink judged = [this](const JudgedFrame& one) { keep(one); };
  std::uint64_t known = m_kept;  // to views, which are to have these frames again
  m_unpriced.visit([&](const GameFrame& frame) {
    m_judge.take(frame, judged);
    if (known > 0 && --known == 0) m_judge.finish(judged);
  });
  m_unpriced.clear();
  m_totals.evidence = m_samples.evidence();
}

// The present collector began anew: after it, or by another one.
void GameSession::goOn() {
  m_earlier = {.frames = m_earlier.frames + m_present.frames,
               .marks = m_earlier.marks + m_present.marks,
               .samples = m_earlier.samples + m_present.samples};
  m_present = {};
}

// Frames of one collector have no gap, but for those that it has lost.
void GameSession::noteGap(const GameFrameBatch& batch) {
  if (batch.frames.empty() || !std::exchange(m_mayGap, false)) return;
  if (!m_newest || batch.lost > m_present.frames) return;
  const Nanoseconds gap = batch.frames.front().start - m_newest->end();
  if (gap <= Nanoseconds(0)) return;
  const double usual = m_judge.usualDuration().value_or(static_cast<double>(m_newest->duration.count()));
  m_totals.unseen += gap;
  if (usual > 0) m_totals.unseenFrames += static_cast<std::uint64_t>(inNs(gap) / usual + 0.5);
}

void GameSession::take(const GameFrameBatch& batch) {
  noteGap(batch);
  if (batch.lost < m_present.frames || batch.invalidMarks < m_present.marks) goOn();
  if (m_newest && !batch.frames.empty()) {
    const GameFrame& first = batch.frames.front();
    if (first.number <= m_newest->number && first.start >= m_newest->end()) {
      goOn();
      m_numbers += m_newest->number;
    }
  }
  m_present.frames = batch.lost;
  m_present.marks = batch.invalidMarks;
  m_totals.lostFrames = m_earlier.frames + batch.lost;
  m_totals.invalidMarks = m_earlier.marks + batch.invalidMarks;
  m_totals.state = batch.state;
  m_totals.faultsAfter = batch.faultsAfter;
  if (!batch.frames.empty()) m_newest = batch.frames.back();
  const bool timed = m_watched && m_watched->faultTime.grade != Grade::Unavailable;
  for (GameFrame frame : batch.frames) {
    if (timed && !frame.time(FrameMetric::FaultTime)) ++m_totals.untimed;
    frame.number += m_numbers;
    if (!m_judge.rules().nsPerFault && !m_priceless && !m_unpriced.add(frame)) {
      m_priceless = true;
      m_unpriced.clear();
    }
    m_judge.take(frame, [this](const JudgedFrame& judged) { keep(judged); });
  }
  m_totals.evidence = m_samples.evidence();
  m_emptyBatches = batch.frames.empty() ? m_emptyBatches + 1 : 0;
  if (batch.state != GameState::Running || m_emptyBatches == kRest) finish();
}

void GameSession::keep(const JudgedFrame& judged) {
  m_tally.add(judged.frame, judged.verdict);
  m_fresh.push_back(judged);
  if (m_repeated > 0) {
    --m_repeated;
    m_samples.addAgain(judged);
    return;
  }
  ++m_kept;
  m_delays.add(judged.frame);
  m_samples.add(judged);
}

void GameSession::finish() {
  m_judge.finish([this](const JudgedFrame& judged) { keep(judged); });
  m_totals.evidence = m_samples.evidence();
}

void GameSession::take(const FaultSampleBatch& batch) {
  if (batch.lost < m_present.samples) goOn();
  m_present.samples = batch.lost;
  m_totals.lostSamples = m_earlier.samples + batch.lost;
  m_totals.samples += batch.samples.size();
  for (const FaultSample& sample : batch.samples) {
    if (!sample.calls && sample.registers.size() > 1 && sample.stack.empty()) ++m_totals.withoutStack;
    if (m_reader != nullptr) m_reader->notice(sample);
    m_samples.add(sample);
  }
  m_totals.evidence = m_samples.evidence();
}

CulpritSearch GameSession::searchFor(const JudgedFrame& judged, StackReader* reader) const {
  const bool awaits = judged.frame.values.has(FrameMetric::ThreadAwaitedThread);
  CulpritSearch search(reader,
                       faultPathOf(judged, awaits ? samplesOf(judged.frame.number) : std::vector<FaultSample>()));
  m_samples.visitBefore(judged.frame.number, kRemembered, [&](const FaultSample& sample) { search.remember(sample); });
  return search;
}

void GameSession::setBudget(Nanoseconds budget) {
  FrameRules rules = m_judge.rules();
  rules.budget = budget;
  m_judge.change(rules);
}

std::vector<JudgedFrame> GameSession::drain() {
  return std::exchange(m_fresh, {});
}

std::vector<std::string> lossesOf(const SessionTotals& totals, std::string_view SessionNumber::* words) {
  std::vector<std::string> losses;
  for (const SessionNumber& row : kSessionNumbers)
    if (const std::uint64_t number = row.of(totals).value_or(0); number > 0 && !(row.*words).empty())
      losses.push_back(fmt::format(fmt::runtime(row.*words), formatCount(number),
                                   fmt::arg("samples", formatCount(totals.samples)),
                                   fmt::arg("all_samples", formatCount(totals.lostSamples + totals.samples)),
                                   fmt::arg("unseen", formatDuration(totals.unseen)),
                                   fmt::arg("unseen_frames", formatCount(totals.unseenFrames))));
  return losses;
}

}  // namespace faultline
