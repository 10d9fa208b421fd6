#include "app/cli/frames/watch.h"

#include <algorithm>

#include "app/cli/text/say.h"
#include "app/cli/text/width.h"
#include "platform/host/terminal.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;
constexpr auto kRedraw = 200ms;
constexpr Nanoseconds kLate = 250ms;                          // longest delay of a sample after its frame
constexpr std::size_t kSampleBytes = std::size_t{64} << 20U;  // the stacks of 8 192 faults take 5 MB
constexpr std::size_t kFewSamples = 256;                      // read for the culprits of a flagged frame
constexpr std::size_t kManySamples = 10'000;                  // read for the culprits of one of the worst frames

bool amongWorst(const FrameTally& tally, MonotonicTime start) {
  return std::ranges::any_of(tally.worst, [&](const JudgedFrame& worst) { return worst.frame.start == start; });
}

}  // namespace

FrameWatch::FrameWatch(const FrameRules& rules, FrameFiles files)
    : m_session(rules, &m_stacks, kSampleBytes),
      m_files(std::move(files)),
      m_progressWanted(isTerminal(StandardStream::Error)) {}

Result<void> FrameWatch::take(const StreamEvent& event) {
  if (const auto* hello = std::get_if<Hello>(&event))
    if (const auto opened = onHello(*hello); !opened) return opened;
  if (const auto taken = m_session.take(event); !taken) return taken;
  for (const JudgedFrame& judged : m_session.drain()) m_waiting.push_back(judged);
  if (m_waiting.empty()) return {};
  if (const auto written = writeUntil(m_waiting.back().frame.end() - kLate); !written) return written;
  return m_files.flush();
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
  m_stacks.open(*hello.watched, hello.source == "synthetic");
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
  const bool worst = amongWorst(m_session.tally(), judged.frame.start);
  if (!judged.flagged() || (!worst && m_files.none())) return {};
  const auto samples = m_session.samplesOf(judged.frame.number);
  if (samples.empty()) return {};
  Culprits culprits =
      findCulprits(m_session.searchFor(judged.frame.number, &m_stacks), samples, worst ? kManySamples : kFewSamples);
  if (worst) m_culprits[judged.frame.start] = culprits;
  std::erase_if(m_culprits, [&](const auto& known) { return !amongWorst(m_session.tally(), known.first); });
  return culprits;
}

Result<void> FrameWatch::beginFiles() {
  return m_files.begin({*m_session.watched(), FAULTLINE_VERSION, m_session.rules().budget});
}

Result<void> FrameWatch::write(const JudgedFrame& judged) {
  const Culprits culprits = culpritsOf(judged);
  if (const auto begun = beginFiles(); !begun) return begun;
  return m_files.add(judged, culprits, m_session.totals());
}

Result<void> FrameWatch::finish() {
  if (!m_started || !m_session.watched()) return {};
  if (const auto written = writeUntil({Nanoseconds::max()}); !written) return written;
  if (const auto begun = beginFiles(); !begun) return begun;
  return m_files.end();
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
  return sessionReport(m_session, m_culprits, m_stacks.whyNot());
}

}  // namespace faultline
