#include "core/trial/report.h"

#include <algorithm>
#include <utility>

#include "core/base/median.h"

namespace faultline {
namespace {

constexpr double kLeastGain = 0.01;
constexpr double kConfidence = 0.95;

template <class Of>
auto medianOf(const std::vector<TrialSample>& samples, Of of) {
  std::vector<decltype(of(samples.front()))> values;
  for (const TrialSample& sample : samples) values.push_back(of(sample));
  return median(std::move(values)).value_or(0);
}

double wallOf(const TrialSample& sample) {
  return inNs(sample.wall);
}
double processorOf(const TrialSample& sample) {
  return inNs(sample.processor);
}
double faultsOf(const TrialSample& sample) {
  return static_cast<double>(sample.minorFaults + sample.majorFaults);
}
double processorPerFrameOf(const TrialSample& sample) {
  return sample.frames ? processorOf(sample) / sample.frames->frames : 0;
}
double p99Of(const TrialSample& sample) {
  return sample.frames ? sample.frames->p99 : 0;
}
double peakOf(const TrialSample& sample) {
  return static_cast<double>(sample.peakBytes);
}

TrialMedians mediansOf(const TrialReport& report, const std::vector<TrialSample>& samples,
                       const std::vector<RunMemory>& memory) {
  TrialMedians result{.wall = medianOf(samples, wallOf),
                      .processor = medianOf(samples, processorOf),
                      .minorFaults = medianOf(samples, [](const TrialSample& sample) { return sample.minorFaults; }),
                      .majorFaults = medianOf(samples, [](const TrialSample& sample) { return sample.majorFaults; }),
                      .peakBytes = medianOf(samples, [](const TrialSample& sample) { return sample.peakBytes; }),
                      .peakAtMost = std::ranges::any_of(samples, &TrialSample::peakAtMost),
                      .memory = memoryMedians(memory)};
  std::vector<FrameFigures> runs;
  std::vector<double> processor;
  for (const TrialSample& sample : samples) {
    if (!sample.frames) continue;
    runs.push_back(*sample.frames);
    processor.push_back(processorPerFrameOf(sample));
  }
  result.frames = medianFigures(runs);
  result.processorPerFrame = median(std::move(processor)).value_or(0);
  auto& inFaults = result.memory[runFigure(ProcessMetric::FaultTime)];
  if (!inFaults && report.nsPerFault) inFaults = *report.nsPerFault * static_cast<double>(result.minorFaults);
  return result;
}

TrialMeasure measureFor(const TrialReport& report) {
  if (!report.watched) return TrialMeasure::Wall;
  bool timed = true;
  bool tornDown = true;
  const auto look = [&](const std::vector<TrialSample>& samples) {
    for (const TrialSample& sample : samples) {
      timed &= !sample.frames || sample.frames->of(FrameMetric::FaultTime);
      tornDown &= !sample.frames || sample.frames->of(FrameMetric::TeardownTime);
    }
  };
  look(report.plain);
  for (const TriedRemedy& tried : report.tried) look(tried.samples);
  return !timed ? TrialMeasure::Faults : tornDown ? TrialMeasure::MemoryTime : TrialMeasure::FaultTime;
}

double figureOf(TrialMeasure measure, const TrialSample& sample) {
  if (measure == TrialMeasure::Wall) return wallOf(sample);
  if (!sample.frames) return 0;
  if (measure == TrialMeasure::Faults) return sample.frames->faults;
  return *memoryTime(measure, *sample.frames);
}

std::vector<double> differences(const TrialReport& report, const TriedRemedy& tried,
                                double (*of)(const TrialSample& sample)) {
  std::vector<double> values;
  for (std::size_t i = 0; i < tried.samples.size(); ++i) values.push_back(of(tried.samples[i]) - of(report.plain[i]));
  return values;
}

// The share that each round saved. Rounds whose plain run took no time tell nothing, nor do rounds in which frames were
// watched and a run had none; but of no faults, no share can be saved.
template <class Of>
std::vector<double> gains(const TrialReport& report, const TriedRemedy& tried, Of of) {
  std::vector<double> values;
  for (std::size_t i = 0; i < tried.samples.size(); ++i) {
    const TrialSample& plain = report.plain[i];
    const TrialSample& sample = tried.samples[i];
    if (report.watched && !(plain.frames && sample.frames)) continue;
    if (of(plain) > 0) values.push_back(1 - of(sample) / of(plain));
    else if (report.watched) values.push_back(of(sample) > 0 ? -1 : 0);
  }
  return values;
}

bool sameEnd(const TrialSample& a, const TrialSample& b) {
  const bool sameFrames = a.frames.has_value() == b.frames.has_value();  // a program that fails early has none
  return (a.code == b.code || a.ended || b.ended) && a.signal == b.signal && sameFrames;
}

bool differ(const std::vector<TrialSample>& samples, const TrialSample& first,
            bool (*same)(const TrialSample&, const TrialSample&)) {
  return std::ranges::any_of(samples, [&](const TrialSample& sample) { return !same(sample, first); });
}

// Bonferroni's.
double confidenceOfEach(std::size_t remedies) {
  return 1 - (1 - kConfidence) / static_cast<double>(std::max<std::size_t>(1, remedies));
}

TrialVerdict verdictOf(const std::optional<MedianInterval>& gain) {
  if (!gain) return TrialVerdict::TooFewRuns;
  if (gain->low > 0) return TrialVerdict::Better;
  return gain->high < 0 ? TrialVerdict::Worse : TrialVerdict::NoDifference;
}

bool worthIt(const TrialRow& row, const TrialResult& result) {
  if (result.measure == TrialMeasure::Wall) return row.gain->low >= kLeastGain;
  const auto time = memoryTime(result.measure, *result.plain.frames);
  if (!time || row.gain->low * *time < kLeastGain * result.plain.frames->mean) return false;
  if (row.p99Gain && row.p99Gain->high < 0) return false;
  return result.measure != TrialMeasure::Faults || (row.processorGain && row.processorGain->low > 0);
}

TrialRow judgeOne(const TrialReport& report, std::size_t index, const TrialResult& result) {
  const TriedRemedy& tried = report.tried[index];
  const TrialSample& first = report.plain.front();
  TrialRow row{.index = index,
               .medians = mediansOf(report, tried.samples, tried.memory),
               .gain = medianInterval(
                   gains(report, tried, [&](const TrialSample& sample) { return figureOf(result.measure, sample); }),
                   result.confidence),
               .processorGain = medianInterval(gains(report, tried, report.watched ? processorPerFrameOf : processorOf),
                                               result.confidence),
               .memoryGains = memoryGains(report.plainMemory, tried.memory, kConfidence),
               .moreFaults = *median(differences(report, tried, faultsOf)),
               .morePeakBytes = *median(differences(report, tried, peakOf))};
  if (report.watched) row.p99Gain = medianInterval(gains(report, tried, p99Of), result.confidence);
  row.verdict = verdictOf(row.gain);
  if (!result.outputVaries) row.output = outputDifference(first, tried.samples);
  if (row.output && report.sameOutput) row.verdict = TrialVerdict::OtherOutput;
  if (!result.exitCodeVaries && differ(tried.samples, first, sameEnd)) row.verdict = TrialVerdict::OtherExitCode;
  row.recommended = row.verdict == TrialVerdict::Better && worthIt(row, result);
  return row;
}

// Rows are sorted by this: changed behaviour last, else by the median gain.
double rank(const TrialRow& row) {
  constexpr double kLast = -1e300;
  const bool changed = row.verdict == TrialVerdict::OtherOutput || row.verdict == TrialVerdict::OtherExitCode;
  return changed || !row.gain ? kLast : row.gain->median;
}

}  // namespace

void TrialReport::dropIncompleteRounds() {
  std::size_t complete = plain.size();
  for (const TriedRemedy& one : tried) complete = std::min(complete, one.samples.size());
  plain.resize(complete);
  for (TriedRemedy& one : tried) one.samples.resize(complete);
  std::size_t watchedRounds = plainMemory.size();
  for (const TriedRemedy& one : tried) watchedRounds = std::min(watchedRounds, one.memory.size());
  plainMemory.resize(watchedRounds);
  for (TriedRemedy& one : tried) one.memory.resize(watchedRounds);
}

std::size_t neededRounds(std::size_t remedies) {
  return fewestForInterval(confidenceOfEach(remedies));
}

std::size_t usualRounds(std::size_t remedies) {
  constexpr std::size_t kLeast = 12;
  return std::max(kLeast, fewestForInterval(confidenceOfEach(remedies), 1));
}

TrialResult judge(const TrialReport& report) {
  TrialResult result{.measure = measureFor(report), .rounds = report.plain.size()};
  if (report.plain.empty()) return result;
  result.plain = mediansOf(report, report.plain, report.plainMemory);
  result.outputVaries = differ(report.plain, report.plain.front(), sameOutput);
  result.exitCodeVaries = differ(report.plain, report.plain.front(), sameEnd);
  result.confidence = confidenceOfEach(report.tried.size());
  const auto add = [&result](const std::vector<TrialSample>& samples) {
    result.disturbedRuns += static_cast<std::size_t>(std::ranges::count_if(samples, disturbed));
  };
  add(report.plain);
  for (std::size_t i = 0; i < report.tried.size(); ++i) {
    result.rows.push_back(judgeOne(report, i, result));
    add(report.tried[i].samples);
  }
  std::ranges::sort(result.rows, [](const TrialRow& a, const TrialRow& b) {
    return std::pair(rank(b), a.index) < std::pair(rank(a), b.index);
  });
  return result;
}

std::optional<double> memoryTime(TrialMeasure measure, const FrameFigures& figures) {
  const bool about = measure == TrialMeasure::Faults && figures.inFaultsAbout;
  const auto& inFaults = about ? figures.inFaultsAbout : figures.of(FrameMetric::FaultTime);
  const auto& teardown = figures.of(FrameMetric::TeardownTime);
  if (measure != TrialMeasure::MemoryTime) return inFaults;
  return inFaults && teardown ? std::optional(*inFaults + *teardown) : std::nullopt;
}

const TrialRow* bestOf(const TrialResult& result) {
  const auto best = std::ranges::find_if(result.rows, &TrialRow::recommended);
  return best == result.rows.end() ? nullptr : &*best;
}

}  // namespace faultline
