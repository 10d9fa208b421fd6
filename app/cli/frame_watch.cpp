#include "app/cli/frame_watch.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>

#include "app/cli/text_width.h"
#include "core/model/names.h"
#include "core/text/quantity.h"
#include "platform/desktop/terminal.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;
constexpr auto kRedraw = 200ms;
constexpr std::size_t kShown = 5;

}  // namespace

FrameWatch::FrameWatch(const FrameRules& rules, FrameFiles files)
    : m_judge(rules), m_files(std::move(files)), m_progressWanted(isTerminal(StandardStream::Error)) {}

Result<void> FrameWatch::take(const StreamEvent& event) {
  if (const auto* hello = std::get_if<Hello>(&event)) return take(*hello);
  if (const auto* batch = std::get_if<const GameFrameBatch*>(&event)) return take(**batch);
  if (std::holds_alternative<StreamEnd>(event)) m_ended = true;
  return {};
}

Result<void> FrameWatch::take(const Hello& hello) {
  if (!hello.watched) return fail("The collector watches no game: it is of another version.");
  m_started = std::chrono::steady_clock::now();
  m_watched = *hello.watched;
  FrameRules rules = m_judge.rules();
  rules.nsPerFault = m_watched.nsPerFault;
  rules.timesAreTheGames = m_watched.method != "assumed";
  m_judge.change(rules);
  return m_files.begin(m_watched);
}

Result<void> FrameWatch::take(const GameFrameBatch& batch) {
  m_last.lost = batch.lost;
  m_last.nonsense = batch.nonsense;
  m_last.state = batch.state;
  for (const GameFrame& frame : batch.frames) {
    const FrameVerdict verdict = m_judge.judge(frame);
    m_tally.add(frame, verdict);
    if (const auto added = m_files.add(frame, verdict); !added) return added;
  }
  return {};
}

Result<void> FrameWatch::finish() {
  return m_started ? m_files.end() : Result<void>();
}

void FrameWatch::showProgress() {
  const Time now = std::chrono::steady_clock::now();
  if (!m_progressWanted || !m_started || now < m_nextProgress) return;
  m_nextProgress = now + kRedraw;
  m_progressDrawn = true;
  const int columns = terminalSize(StandardStream::Error).value_or(TerminalSize{}).columns;
  fmt::print(stderr, "\r{}\x1b[K", cutTo(summary(), columns - 1));
}

std::string FrameWatch::summary() const {
  return m_judge.rules().timesAreTheGames ? summaryText(m_tally) : assumedSummaryText(m_tally);
}

void FrameWatch::clearProgress() {
  if (m_progressDrawn) fmt::print(stderr, "\r\x1b[K");
  m_progressDrawn = false;
}

std::vector<std::string> FrameWatch::report() const {
  std::vector<std::string> lines{summary()};
  for (std::size_t i = 0; i < std::min(kShown, m_tally.worst.size()); ++i)
    lines.push_back("  " + frameText(m_tally.worst[i]));
  const std::string mark = printableName(m_watched.mark);
  lines.push_back(
      fmt::format("Frames of {} ({}) by {}. Their faults are {}: {}.", printableName(m_watched.name), m_watched.pid,
                  m_judge.rules().timesAreTheGames ? "its mark '" + mark + "'" : "an assumed rate of " + mark,
                  gradeName(m_watched.faults.grade), m_watched.faults.how));
  if (m_watched.nsPerFault)
    lines.push_back(
        fmt::format("Time in faults is estimated: {} for each minor fault, as measured on this machine at the start; "
                    "large pages and waits for the disk cost more.",
                    formatDuration(Nanoseconds(std::llround(*m_watched.nsPerFault)))));
  if (m_last.lost > 0) lines.push_back(fmt::format("{} frames were lost.", formatCount(m_last.lost)));
  if (m_last.nonsense > 0)
    lines.push_back(fmt::format("{} marks made no sense and were left out.", formatCount(m_last.nonsense)));
  if (m_last.state == GameState::ProgramLeft)
    lines.emplace_back("The process has become another program (exec), which ends this.");
  return lines;
}

}  // namespace faultline
