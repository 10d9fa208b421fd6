#include "app/cli/text/doctor_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "app/cli/text/width.h"
#include "core/export/json.h"
#include "core/export/quality_json.h"
#include "core/model/names.h"
#include "core/text/quantity.h"

namespace faultline {
namespace {

constexpr int kTitleWidth = 24;
constexpr int kGradeWidth = 13;
constexpr int kRemedyIndent = 4;   // room for a command on a line of its own
constexpr int kUnbroken = 10'000;  // columns for a command that is copied

// The first word; a command to type, which ends before a parenthesis, is one word.
std::size_t wordEnd(std::string_view text) {
  return std::min(text.find(text.starts_with("sudo ") ? " (" : " "), text.size());
}

// Words on lines of at most `columns`, each after `indent` blanks; the first line continues one that is there.
std::string wrapped(std::string_view text, int indent, int columns) {
  const int room = std::max(columns - indent, 20);
  std::string out;
  int used = 0;
  while (!text.empty()) {
    const std::size_t end = wordEnd(text);
    const std::string_view word = text.substr(0, end);
    const int width = textWidth(word);
    if (used > 0 && used + 1 + width > room) {
      out += "\n" + std::string(static_cast<std::size_t>(indent), ' ');
      used = 0;
    }
    if (used > 0) out += ' ';
    out += word;
    used += width + (used > 0 ? 1 : 0);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

// The first two lines of `text`, with a sign of what follows.
std::string twoLines(std::string text) {
  const std::size_t second = text.find('\n', text.find('\n') + 1);
  if (second == std::string::npos || second + 1 == text.size()) return text;
  text.erase(text.rfind(' ', second));
  return text + " ...\n";
}

enum class Length : std::uint8_t { TwoLines, Whole };

std::string line(std::string_view title, const Quality& quality, const Paint& paint, int columns,
                 Length length = Length::TwoLines) {
  const Tone tone = quality.grade == Grade::Unavailable ? Tone::Dim : Tone::Plain;
  const int indent = 2 + 2 + kTitleWidth + kGradeWidth;
  std::string out = "  " + paint(tone, fmt::format("{} {}{}", gradeMark(quality.grade), leftIn(title, kTitleWidth),
                                                   leftIn(gradeName(quality.grade), kGradeWidth)));
  out += wrapped(quality.how, indent, columns) + "\n";
  if (length == Length::TwoLines) out = twoLines(std::move(out));
  if (!quality.enable.empty())
    out += std::string(kRemedyIndent, ' ') + wrapped("To enable: " + quality.enable, kRemedyIndent, columns) + "\n";
  return out;
}

template <class Metric, std::size_t Count>
std::string section(std::string_view title, const std::array<Quality, Count>& qualities, const Paint& paint,
                    int columns) {
  std::string out = "\n" + paint(Tone::Strong, title) + "\n";
  const Quality* above = nullptr;
  for (std::size_t i = 0; i < Count; ++i) {
    if (ofNoConcern(qualities[i])) continue;
    const bool told = above != nullptr && qualities[i].grade == Grade::Unavailable && qualities[i] == *above;
    const Quality asAbove{.grade = Grade::Unavailable, .how = "for the same reason", .enable = {}};
    out += line(field(static_cast<Metric>(i)).title, told ? asAbove : qualities[i], paint, columns);
    above = &qualities[i];
  }
  return out;
}

bool sameNumbers(const FrameFindings& a, const FrameFindings& b) {
  if (!a.game || !b.game) return false;
  return std::ranges::all_of(kFrameQualities,
                             [&](const FrameQuality& row) { return (*a.game).*row.quality == (*b.game).*row.quality; });
}

std::string frameSection(const FrameFindings& frames, const FrameFindings* above, const Paint& paint, int columns) {
  std::string out = "\n" + paint(Tone::Strong, "Of frames. " + frames.title) + "\n";
  if (!frames.game) return out + line("All numbers", unavailable(frames.why), paint, columns);
  if (above != nullptr && sameNumbers(*above, frames)) return out + "  The same numbers\n";
  for (const FrameQuality& row : kFrameQualities) out += line(row.title, (*frames.game).*row.quality, paint, columns);
  return out;
}

nlohmann::ordered_json toJson(const FrameFindings& frames) {
  nlohmann::ordered_json json{{"frames_end", frames.title}, {"why_not", frames.why}};
  if (!frames.game) return json;
  for (const FrameQuality& row : kFrameQualities) {
    json[std::string(row.name)] = qualityJson((*frames.game).*row.quality);
  }
  return json;
}

std::string fact(std::string_view name, std::string_view text, int columns) {
  constexpr int kNameWidth = 12;
  return leftIn(name, kNameWidth) + wrapped(text, kNameWidth, columns) + "\n";
}

std::string cost(const Findings& findings) {
  const std::string share =
      findings.collectorCpuShare ? formatPercent(*findings.collectorCpuShare) : std::string(kUnavailable);
  return fmt::format("{} of one core; a sweep of {} processes takes {}", share, findings.processes,
                     formatDuration(findings.scan));
}

std::string interval(const Findings& findings) {
  return fmt::format("{} asked for, {} achieved over {} sweeps; {} late, {} dropped",
                     formatDuration(findings.hello.interval), formatDuration(findings.achievedInterval),
                     findings.sweeps, findings.missedDeadlines, findings.droppedSnapshots);
}

constexpr std::size_t kNamed = 3;  // numbers that a line of the summary names before it counts the others

// At most two lines; doctor --all has the rest.
std::string shortFact(std::string_view name, std::string_view text, int columns) {
  return twoLines(fact(name, text, columns));
}

struct Missing {
  Quality quality;
  std::vector<std::string_view> titles;
};

struct Count {
  std::size_t exact = 0;
  std::size_t estimated = 0;
  std::vector<Missing> missing;  // those with the same reason together
};

template <class Metric, std::size_t N>
void count(const std::array<Quality, N>& qualities, Count& all) {
  for (std::size_t i = 0; i < N; ++i) {
    const Quality& quality = qualities[i];
    if (ofNoConcern(quality)) continue;
    if (quality.grade == Grade::Exact) ++all.exact;
    if (quality.grade == Grade::Estimated) ++all.estimated;
    if (quality.grade != Grade::Unavailable) continue;
    const auto same = std::ranges::find(all.missing, quality, &Missing::quality);
    Missing& missing = same == all.missing.end() ? all.missing.emplace_back(Missing{quality, {}}) : *same;
    missing.titles.push_back(field(static_cast<Metric>(i)).title);
  }
}

std::string listed(const std::vector<std::string_view>& titles) {
  std::string text;
  for (std::size_t i = 0; i < std::min(titles.size(), kNamed); ++i)
    text += (text.empty() ? "" : "; ") + std::string(titles[i]);  // a title may have a comma
  return titles.size() > kNamed ? text + fmt::format(" and {} more", titles.size() - kNamed) : text;
}

std::string frameFact(const std::vector<FrameFindings>& frames, int columns) {
  std::string yes;
  std::string no;
  for (const FrameFindings& kind : frames) {
    std::string& list = kind.game ? yes : no;
    list += (list.empty() ? "" : "; ") + kind.title;
  }
  std::string out;
  if (!yes.empty()) out += shortFact("Frames", yes, columns);
  if (!no.empty()) out += shortFact(yes.empty() ? "Frames" : "", "not: " + no, columns);
  return out;
}

bool hasIgnoringCase(std::string_view text, std::string_view part) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::ranges::search(text, part, {}, lower, lower).begin() != text.end();
}

template <class Metric, std::size_t N>
std::string matching(std::string_view title, const std::array<Quality, N>& qualities, std::string_view name,
                     const Paint& paint, int columns) {
  std::string out;
  for (std::size_t i = 0; i < N; ++i) {
    const auto& known = field(static_cast<Metric>(i));
    if (!hasIgnoringCase(known.title, name) && !hasIgnoringCase(known.name, name)) continue;
    out += line(known.title, qualities[i], paint, columns, Length::Whole);
  }
  return out.empty() ? out : paint(Tone::Strong, title) + "\n" + out;
}

std::string matching(const FrameFindings& frames, std::string_view name, const Paint& paint, int columns) {
  std::string out;
  if (!frames.game) return out;
  for (const FrameQuality& row : kFrameQualities)
    if (hasIgnoringCase(row.title, name) || hasIgnoringCase(row.name, name))
      out += line(row.title, (*frames.game).*row.quality, paint, columns, Length::Whole);
  return out.empty() ? out : paint(Tone::Strong, "Of frames. " + frames.title) + "\n" + out;
}

}  // namespace

std::string summaryText(const Findings& findings, int columns) {
  Count all;
  count<ProcessMetric>(findings.hello.process, all);
  count<SystemMetric>(findings.hello.system, all);
  std::ranges::stable_sort(all.missing, std::ranges::greater(),
                           [](const Missing& missing) { return missing.titles.size(); });
  const bool grant = !findings.collector.enable.empty();
  std::string out =
      shortFact("Works", fmt::format("{} numbers exact, {} estimated", all.exact, all.estimated), columns);
  for (std::size_t i = 0; i < std::min<std::size_t>(all.missing.size(), 2); ++i) {
    const Missing& missing = all.missing[i];
    out += shortFact(i == 0 ? "Missing" : "", listed(missing.titles) + ": " + missing.quality.how, columns);
    if (!grant && !missing.quality.enable.empty()) out += fact("", "To enable: " + missing.quality.enable, columns);
  }
  if (all.missing.size() > 2)
    out += fact(
        "", fmt::format("and others, for {} more reason{}", all.missing.size() - 2, all.missing.size() == 3 ? "" : "s"),
        columns);
  if (grant) out += fact("Type", findings.collector.enable, kUnbroken);
  out += frameFact(findings.frames, columns);
  if (!findings.costWarning.empty()) out += fact("Memory", findings.costWarning, columns);
  out += fact("Own cost", cost(findings), columns);
  return out + fact("More", "faultline-cli doctor --all; of one number: faultline-cli doctor zeroed", columns);
}

std::string numberText(const Findings& findings, std::string_view name, const Paint& paint, int columns) {
  std::string out = matching<ProcessMetric>("Of each process", findings.hello.process, name, paint, columns) +
                    matching<SystemMetric>("Of the machine", findings.hello.system, name, paint, columns);
  const FrameFindings* above = nullptr;
  for (const FrameFindings& frames : findings.frames) {
    if (above == nullptr || !sameNumbers(*above, frames)) out += matching(frames, name, paint, columns);
    above = &frames;
  }
  return out;
}

std::string reportText(const Findings& findings, const Paint& paint, int columns) {
  const Hello& hello = findings.hello;
  std::string out;
  out += fact("Machine", hello.machine.system, columns);
  out += fact("",
              fmt::format("{} × {}, {}, pages of {}", hello.machine.processors, hello.machine.processor,
                          formatBytes(hello.machine.memoryBytes), formatBytes(hello.machine.pageBytes)),
              columns);
  out += fact("Collector",
              fmt::format("{}, version {}, clock {}", findings.collector.program.string(), hello.version, hello.clock),
              columns);
  out += fact("", findings.collector.why, columns);
  if (!findings.collector.enable.empty()) out += fact("", "To measure more: " + findings.collector.enable, kUnbroken);
  if (!findings.costSettings.empty()) out += fact("Memory", findings.costSettings, columns);
  if (!findings.costWarning.empty())
    out += fact(findings.costSettings.empty() ? "Memory" : "", findings.costWarning, columns);
  out += fact("Interval", interval(findings), columns);
  out += fact("Own cost", cost(findings), columns);
  out += section<ProcessMetric>("Of each process", hello.process, paint, columns);
  out += section<SystemMetric>("Of the machine", hello.system, paint, columns);
  const FrameFindings* above = nullptr;
  for (const FrameFindings& frames : findings.frames) {
    out += frameSection(frames, above, paint, columns);
    above = &frames;
  }
  return out + "\nThe whole text of a number: faultline-cli doctor zeroed\n";
}

std::string reportJson(const Findings& findings) {
  nlohmann::ordered_json report;
  report["collector"] = findings.collector.program.string();
  report["collector_why"] = findings.collector.why;
  report["collector_enable"] = findings.collector.enable;
  report["hello"] = nlohmann::ordered_json::parse(toJson(findings.hello));
  report["sweeps"] = findings.sweeps;
  report["achieved_interval_ns"] = findings.achievedInterval.count();
  report["scan_ns"] = findings.scan.count();
  if (findings.collectorCpuShare) report["collector_cpu_share"] = *findings.collectorCpuShare;
  else report["collector_cpu_share"] = nullptr;
  report["processes"] = findings.processes;
  report["missed_deadlines"] = findings.missedDeadlines;
  report["dropped_snapshots"] = findings.droppedSnapshots;
  report["memory_settings"] = findings.costSettings;
  report["memory_warning"] = findings.costWarning;
  report["frames"] = nlohmann::ordered_json::array();
  for (const FrameFindings& frames : findings.frames) report["frames"].push_back(toJson(frames));
  return report.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace faultline
