#include "app/cli/top/view.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "app/cli/text/spike_text.h"
#include "app/cli/text/width.h"
#include "core/history/background_zeroing.h"
#include "core/text/quantity.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;
constexpr std::size_t kMostAbove = 6;   // state, figures, quality, spike, blank, table header
constexpr std::size_t kLeastAbove = 2;  // state and table header
constexpr std::size_t kLinesBelow = 1;
constexpr std::size_t kFewRows = 2;  // rows of the table that take precedence over the lines above
constexpr std::size_t kPlainRows = 20;
constexpr int kPlainFigures = 200;  // columns; enough for all figures

std::string orDash(const std::optional<double>& perSecond) {
  return perSecond ? formatRate(*perSecond) : std::string(kUnavailable);
}

std::string bytesOrDash(std::optional<std::uint64_t> bytes) {
  return bytes ? formatBytes(*bytes) : std::string(kUnavailable);
}

std::string selfText(const TopScene& scene) {
  const auto collector = scene.monitor.collectorCpuShare();
  if (!collector || !scene.ownCpuShare) return std::string(kUnavailable);
  return fmt::format("{} (collector {}, top {})", formatPercent(*collector + *scene.ownCpuShare),
                     formatPercent(*collector), formatPercent(*scene.ownCpuShare));
}

std::string gapText(Gap gap) {
  switch (gap) {
    case Gap::Suspended:
      return ", the machine was suspended";
    case Gap::Late:
      return ", the last sweep was late";
    case Gap::Backwards:
      return ", the clock did not advance";
    case Gap::First:
    case Gap::None:
      break;
  }
  return {};
}

std::string stateText(const TopScene& scene, const TopState& state) {
  const Moment& moment = scene.moment;
  return fmt::format("{}, every {}, {} processes{}", state.paused ? "‖ paused" : "● live",
                     formatDuration(plannedInterval(scene.monitor.hello(), moment.system)),
                     formatCount(moment.rows.size()), gapText(moment.gap));
}

std::string stateLine(const TopScene& scene, const TopState& state, int columns, const Paint& paint) {
  constexpr std::string_view kName = "Faultline  ";
  const std::string time = clockText(scene.moment.wallTime);
  const int room = columns - textWidth(kName) - textWidth(time) - 1;
  if (room < 10) return paint(Tone::Strong, cutTo(kName, columns));
  return paint(Tone::Strong, kName) + leftIn(stateText(scene, state), room) + " " + paint(Tone::Dim, time);
}

std::string spikeLine(const TopScene& scene, int columns, const Paint& paint) {
  if (!scene.trouble.empty()) return paint(Tone::Accent, cutTo("! " + scene.trouble, columns));
  const auto& spikes = scene.monitor.spikes();
  const auto latest = std::ranges::find_if(spikes.rbegin(), spikes.rend(),
                                           [&](const Spike& spike) { return spike.start <= scene.moment.time; });
  if (latest == spikes.rend()) return paint(Tone::Dim, cutTo("no spikes yet", columns));
  const std::string more = spikes.size() > 1 ? fmt::format("  ({} in all)", spikes.size()) : "";
  const bool recent = scene.moment.time - latest->end <= 10s;
  return paint(recent ? Tone::Accent : Tone::Plain, cutTo("◆ " + spikeText(*latest) + more, columns));
}

std::string bottomLine(const TopState& state, int columns, const Paint& paint) {
  if (state.typing) return cutTo("filter: " + state.filter + "▏ Enter keeps it, Esc clears it", columns);
  const std::string filter = state.filter.empty() ? "" : "   filter: " + state.filter;
  return paint(Tone::Dim, cutTo(fmt::format("q quit   ? keys   p pause   s sort: {}   / filter   c command{}",
                                            sortName(state.sort), printableName(filter)),
                                columns));
}

constexpr std::array kKeys{"q             quit",
                           "p, space      pause, and go on",
                           "s, S          the next, the previous sort order",
                           "/             filter by a part of the name, the start of a pid, or unit:SERVICE",
                           "Esc           clear the filter",
                           "c             users, services and command lines in place of names",
                           "↑ ↓           scroll",
                           "Page Up/Down  scroll by a screen",
                           "Home, End     the first, the last process",
                           "?             these keys; any key goes back"};

std::size_t linesOf(TerminalSize size) {
  return static_cast<std::size_t>(std::max(size.rows, 0));
}

std::size_t linesAbove(TerminalSize size) {
  const std::size_t lines = std::max(linesOf(size), kLinesBelow + kFewRows) - kLinesBelow - kFewRows;
  return std::clamp(lines, kLeastAbove, kMostAbove);
}

// On a small terminal the blank line goes first, then quality, spike and figures.
std::vector<std::string> headOf(const TopScene& scene, const TopState& state, TerminalSize size, const Paint& paint) {
  const Moment& moment = scene.moment;
  const auto counted = [&](SystemMetric metric, const char* word) {
    const std::uint64_t count = moment.system.get(metric).value_or(0);
    return count == 0 ? std::string() : fmt::format(" · {} {}", formatCount(count), word);
  };
  const std::string quality = qualityLine(scene.monitor.hello()) + counted(SystemMetric::MissedDeadlines, "late") +
                              counted(SystemMetric::DroppedSnapshots, "dropped");
  const std::size_t room = linesAbove(size) - kLeastAbove;
  std::vector<std::string> lines{stateLine(scene, state, size.columns, paint)};
  if (room > 0) lines.push_back(figuresLine(scene, paint, size.columns));
  if (room > 2) lines.push_back(paint(Tone::Dim, cutTo(quality, size.columns)));
  if (room > 1) lines.push_back(spikeLine(scene, size.columns, paint));
  if (room > 3) lines.emplace_back();
  return lines;
}

}  // namespace

std::size_t tableHeight(TerminalSize size) {
  const std::size_t others = linesAbove(size) + kLinesBelow;
  return std::max(linesOf(size), others) - others;
}

std::string figuresLine(const TopScene& scene, const Paint& paint, int columns) {
  const Moment& moment = scene.moment;
  const auto total = [&](ProcessMetric metric) { return orDash(moment.perSecond(moment.processTotal.get(metric))); };
  const auto machine = orDash(moment.perSecond(moment.systemDeltas.get(SystemMetric::Faults)));
  const auto level = [&](SystemMetric metric) { return bytesOrDash(moment.system.get(metric)); };
  const auto perSecond = [&](ProcessMetric metric) { return moment.perSecond(moment.processTotal.get(metric)); };
  std::vector<std::pair<std::string_view, std::string>> figures{
      {"minor", total(ProcessMetric::MinorFaults) + "/s"},
      {"major", total(ProcessMetric::MajorFaults) + "/s"},
  };
  if (const auto ns = perSecond(ProcessMetric::FaultTime))
    figures.emplace_back("in faults", formatDuration(*ns) + "/s");
  if (const auto bytes = perSecond(ProcessMetric::ZeroedBytes))
    figures.emplace_back("zeroed", formatBytes(static_cast<std::uint64_t>(std::llround(*bytes))) + "/s");
  if (const auto ns = perSecond(ProcessMetric::TeardownTime))
    figures.emplace_back("giving back", formatDuration(*ns) + "/s");
  if (const auto ns = zeroThreadTime(moment))
    figures.emplace_back("zeroing threads", "≈ " + formatDuration(*ns) + "/s");
  if (const auto ns = timeOfCycles(moment, SystemMetric::SystemProcessCycles);
      ns && !moment.systemDeltas.has(SystemMetric::ZeroThreadCycles))
    figures.emplace_back("System, at most", "≈ " + formatDuration(*ns) + "/s");
  if (const auto cycles = cyclesPerZeroedPage(scene.monitor.history(), scene.monitor.hello()))
    figures.emplace_back("cycles per zeroed page", "≈ " + formatRate(*cycles));
  if (const auto bytes = askedForZeroed(moment, scene.monitor.hello()))
    figures.emplace_back("asked for zeroed", formatBytes(static_cast<std::uint64_t>(std::llround(*bytes))) + "/s");
  if (const auto left = moment.system.get(SystemMetric::ZeroedListBytes))
    figures.emplace_back("zeroed list", *left == 0 ? std::string("dry") : formatBytes(*left));
  figures.emplace_back("machine", machine + "/s");
  if (moment.processTotal.has(ProcessMetric::ChildMinorFaults))  // the collector does not see exits
    figures.emplace_back("unattributed", orDash(moment.perSecond(moment.unattributed())) + "/s");
  figures.insert(figures.end(),
                 {
                     {"commit", level(SystemMetric::CommittedBytes) + " of " + level(SystemMetric::CommitLimitBytes)},
                     {"self", selfText(scene)},
                 });
  constexpr int kGap = 3;
  std::string line;
  int used = -kGap;
  for (const auto& [name, value] : figures) {
    used += kGap + textWidth(name) + 1 + textWidth(value);
    if (used > columns) break;
    line += (line.empty() ? "" : "   ") + paint(Tone::Dim, name) + " " + paint(Tone::Strong, value);
  }
  return line;
}

// A selection; doctor lists all metrics.
std::string qualityLine(const Hello& hello) {
  struct Part {
    std::string_view title;
    ProcessMetric metric;
  };
  static constexpr std::array<Part, 4> kParts{{{"commit", ProcessMetric::CommitBytes},
                                               {"resident", ProcessMetric::ResidentBytes},
                                               {"zeroing", ProcessMetric::ZeroedBytes},
                                               {"fault time", ProcessMetric::FaultTime}}};
  std::array<std::string, 3> lists;  // by grade
  for (const auto& [title, metric] : kParts) {
    std::string& list = lists[static_cast<std::size_t>(hello.quality(metric).grade)];
    list.append(list.empty() ? "" : ", ").append(title);
  }
  const auto& [exact, estimated, unavailable] = lists;
  const bool faults = hello.quality(ProcessMetric::MinorFaults).grade == Grade::Exact;
  std::string line = faults ? "exact: faults" + (exact.empty() ? "" : ", " + exact) : "faults not exact";
  if (!estimated.empty()) line += " · estimated: " + estimated;
  if (!unavailable.empty()) line += " · no " + unavailable + ": see doctor";
  return line;
}

std::vector<std::string> topScreen(const TopScene& scene, const TopState& state, TerminalSize size,
                                   const Paint& paint) {
  const auto rows = orderedRows(scene.monitor, scene.moment, state.sort, state.filter);
  const TopTable table(scene.monitor, scene.moment, size.columns, paint,
                       state.commands ? scene.command : TopTable::Command());
  std::vector<std::string> lines = headOf(scene, state, size, paint);
  if (state.help) {
    for (const char* const key : kKeys) lines.push_back(cutTo(key, size.columns));
    lines.resize(std::min(lines.size(), linesOf(size)));
    return lines;
  }
  lines.push_back(table.header(state.sort));
  const std::size_t height = std::min(tableHeight(size), state.mostRows.value_or(tableHeight(size)));
  const std::size_t last = std::min(rows.size(), state.first + height);
  for (std::size_t i = state.first; i < last; ++i) lines.push_back(table.row(*rows[i]));
  lines.resize(std::max<std::size_t>(lines.size(), linesAbove(size) + tableHeight(size)));
  lines.push_back(bottomLine(state, size.columns, paint));
  lines.resize(std::min(lines.size(), linesOf(size)));
  return lines;
}

std::string topPlainText(const TopScene& scene, const TopState& state, int columns) {
  const Paint plain(false);
  const auto rows = orderedRows(scene.monitor, scene.moment, state.sort, state.filter);
  const TopTable table(scene.monitor, scene.moment, columns, plain);
  std::string text = clockText(scene.moment.wallTime) + "  " + stateText(scene, state) + "\n" +
                     figuresLine(scene, plain, kPlainFigures) + "\n";
  for (const Spike& spike : scene.monitor.spikesNow()) text += "◆ " + spikeText(spike) + "\n";
  text += table.header(state.sort) + "\n";
  const std::size_t count = std::min(rows.size(), state.mostRows.value_or(kPlainRows));
  for (std::size_t i = 0; i < count; ++i) text += table.row(*rows[i]) + "\n";
  return text + "\n";
}

}  // namespace faultline
