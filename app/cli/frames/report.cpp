#include "app/cli/frames/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <span>

#include "core/advice/text.h"
#include "core/delay/text.h"
#include "core/frames/session_numbers.h"
#include "core/model/names.h"
#include "core/text/quantity.h"

namespace faultline {
namespace {

constexpr std::size_t kShownFrames = 5;
constexpr std::size_t kShownShares = 4;

std::string sharesText(const Culprits& culprits, const std::vector<CulpritShare>& shares) {
  std::string text;
  for (std::size_t i = 0; i < std::min(kShownShares, shares.size()); ++i) {
    if (i > 0) text += ", ";
    text += fmt::format("{} {}", formatPercent(culprits.share(shares[i])), shares[i].name);
    if (shares[i].thread != 0) text += fmt::format(" ({})", shares[i].thread);
  }
  if (shares.size() > kShownShares) text += fmt::format(", {} more", shares.size() - kShownShares);
  return text;
}

void appendCulprits(const Culprits& culprits, std::vector<std::string>& lines) {
  const auto add = [&](std::string_view what, const std::vector<CulpritShare>& shares) {
    if (!shares.empty()) lines.push_back(fmt::format("    {:<8} {}", what, sharesText(culprits, shares)));
  };
  add("code", culprits.lines);
  add("thread", culprits.threads);
  add("memory", culprits.memory);
  add("kind", culprits.kinds);
  if (culprits.path && culprits.threads.empty()) {
    lines.push_back(fmt::format("    no sampled fault is on the frame's path; {} of other threads stand for {}",
                                formatCount(culprits.samples), formatCount(culprits.faults)));
    return;
  }
  std::string whose;
  if (const auto& path = culprits.path)
    whose = path->awaited != 0 ? fmt::format(" on the frame's path, {} of that of thread {}",
                                             formatPercent(path->ofAwaited), path->awaited)
            : path->ofOthers > 0
                ? fmt::format(" on the frame's path, {} of that of other threads", formatPercent(path->ofOthers))
                : std::string(" of the thread that ends the frame, as it waited for no other");
  lines.push_back(fmt::format("    shares of {}{}, from {} sampled faults{} that stand for {}",
                              culprits.timed ? "the time in faults" : "the faults", whose,
                              formatCount(culprits.samples), whose.empty() ? "" : " of all threads",
                              formatCount(culprits.faults)));
}

// " (--mark selects another: 'audio', 'physics')"
std::string otherMarks(const WatchedGame& watched) {
  std::string text;
  for (const std::string& mark : watched.marks)
    if (mark != watched.mark) text += (text.empty() ? "" : ", ") + ("'" + printableName(mark) + "'");
  return text.empty() ? text : " (--mark selects another: " + text + ")";
}

std::string endOfFrames(const WatchedGame& watched) {
  const std::string mark = printableName(watched.mark);
  if (watched.by == FrameEnd::AssumedRate) return "an assumed rate of " + mark;
  if (watched.by == FrameEnd::Log) return mark;
  if (watched.by != FrameEnd::Function) return "its mark '" + mark + "'" + otherMarks(watched);
  return mark.empty() ? "calls of a function, which was not called" : "calls of " + mark;
}

struct Graded {
  std::string what;  // in the plural
  Quality quality;
};

// "Zeroed bytes and single faults are unavailable: why. To enable them: how.": one sentence for equal qualities.
std::string sharedQuality(std::span<const Graded> same) {
  std::string text;
  for (std::size_t i = 0; i < same.size(); ++i)
    text += (i == 0 ? "" : i + 1 == same.size() ? " and " : ", ") + same[i].what;
  text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  const Quality& quality = same.front().quality;
  text += fmt::format(" are {}: {}.", gradeName(quality.grade), quality.how);
  std::string_view enable = quality.enable;
  if (enable.ends_with('.')) enable.remove_suffix(1);
  if (!enable.empty()) text += fmt::format(" To enable them: {}.", enable);
  return text;
}

void appendShared(std::span<const Graded> all, std::vector<std::string>& lines) {
  while (!all.empty()) {
    const Quality& quality = all.front().quality;
    const auto other = std::ranges::find_if(all, [&](const Graded& graded) { return graded.quality != quality; });
    const auto count = static_cast<std::size_t>(other - all.begin());
    if (!quality.how.empty()) lines.push_back(sharedQuality(all.first(count)));
    all = all.subspan(count);
  }
}

void appendQualities(const WatchedGame& watched, const GameSession& session, std::vector<std::string>& lines) {
  const FrameRules& rules = session.rules();
  lines.push_back(fmt::format("Frames of {} ({}) by {}. Their faults are {}: {}.", printableName(watched.name),
                              watched.pid, endOfFrames(watched), gradeName(watched.faults.grade), watched.faults.how));
  if (const auto& deadline = session.tally().deadline)
    lines.push_back(fmt::format("Each frame was due after {}.", deadlineText(*deadline)));
  if (const auto usual = session.usualFrame(); usual && usual->memory > Nanoseconds(0))
    lines.push_back(fmt::format("A usual frame pays {} for memory on its path, and is done {} {} that.",
                                formatDuration(usual->memory), formatDuration(abs(usual->left)),
                                usual->left < Nanoseconds(0) ? "after" : "before"));
  std::vector<Graded> rest;
  for (const FrameQuality& row : kFurtherFrameQualities)
    rest.push_back({std::string(row.numbers), watched.*row.quality});
  if (watched.delay) rest.push_back({"delays of faults", *watched.delay});
  appendShared(rest, lines);
  if (rules.nsPerFault && watched.faultTime.grade == Grade::Unavailable)
    lines.push_back(
        fmt::format("Time in faults is estimated: {} per minor fault, as measured on this machine; large "
                    "pages and waits for the disk take longer.",
                    formatDuration(*rules.nsPerFault)));
  if (rules.nsPerFault && std::ranges::any_of(session.tally().worst, [](const JudgedFrame& worst) {
        return worst.frame.values.has(FrameMetric::FaultTime) && worst.verdict.estimated;
      }))
    lines.push_back(
        fmt::format("The time of faults that were not timed, such as those of pages populated in advance, is "
                    "estimated: {} each, as measured on this machine.",
                    formatDuration(*rules.nsPerFault)));
}

// What is missing for the culprits; nothing where no single faults were asked for.
std::string evidenceOf(const GameSession& session) {
  const auto& watched = session.watched();
  const bool sampled = watched && watched->samples.grade != Grade::Unavailable;
  return sampled ? evidenceText(session.totals().evidence) : std::string();
}

}  // namespace

std::string culpritOf(const JudgedFrame& judged, const FrameCulprits& culprits) {
  const auto found = culprits.find(judged.frame.start);
  return found == culprits.end() ? std::string() : culpritText(found->second, judged.frame.faults());
}

std::optional<Advice> adviceOn(const GameSession& session, const FrameCulprits& culprits) {
  const auto culpritsOf = [&](const JudgedFrame& judged) {
    const auto found = culprits.find(judged.frame.start);
    return found == culprits.end() ? nullptr : &found->second;
  };
  return adviceOn(session.tally(), culpritsOf, session.paid());
}

std::string sessionSummary(const GameSession& session, const FrameCulprits& culprits) {
  const FrameTally& tally = session.tally();
  const std::string culprit = tally.worst.empty() ? std::string() : culpritOf(tally.worst.front(), culprits);
  if (!session.rules().timesAreMeasured) return assumedSummaryText(tally, culprit);
  const auto paid = session.paid();
  return summaryText(tally, culprit, paid ? std::optional(paid->share()) : std::nullopt);
}

std::vector<std::string> sessionReport(const GameSession& session, const FrameCulprits& culprits,
                                       const std::string& whyNoStacks, const std::vector<std::string>& program) {
  std::vector<std::string> lines{sessionSummary(session, culprits)};
  const auto& worst = session.tally().worst;
  for (std::size_t i = 0; i < std::min(kShownFrames, worst.size()); ++i) {
    const std::string culprit = culpritOf(worst[i], culprits);
    lines.push_back("  " + frameText(worst[i]) + (culprit.empty() ? "" : ", ") + culprit);
    if (i == 0 && !culprit.empty()) appendCulprits(culprits.at(worst[i].frame.start), lines);
  }
  if (std::string evidence = evidenceOf(session); !evidence.empty()) lines.push_back(std::move(evidence));
  if (session.delays().totals().frames > 0) lines.push_back(delayText(session.delays(), session.paced()));
  if (const auto advice = adviceOn(session, culprits)) lines.push_back(adviceText(*advice, program));
  if (session.watched()) appendQualities(*session.watched(), session, lines);
  if (!whyNoStacks.empty()) lines.push_back(whyNoStacks);
  std::ranges::move(lossesOf(session.totals(), &SessionNumber::sentence), std::back_inserter(lines));
  if (session.totals().state == GameState::ProgramLeft)
    lines.emplace_back("The watch ended because the process executed another program (exec).");
  return lines;
}

}  // namespace faultline
