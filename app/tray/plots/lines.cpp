#include "app/tray/plots/lines.h"

#include <QCoreApplication>
#include <algorithm>
#include <array>
#include <iterator>

#include "app/tray/widgets/utf8.h"
#include "core/text/quantity.h"

namespace faultline {
namespace {

QString lineWords(const char* text) {
  return QCoreApplication::translate("PlotLines", text);
}

Plot plotOf(Panel panel) {
  static constexpr std::array<Plot, kPanelCount> kPlots{Plot::Faults, Plot::Time, Plot::Zeroing, Plot::Memory};
  return kPlots.at(static_cast<std::size_t>(panel));
}

// In the field table's order. The plot of zeroing includes the zeroing time: the hover shows both.
std::vector<ProcessMetric> metricsOf(Panel panel) {
  std::vector<ProcessMetric> metrics;
  for (const auto& row : kProcessFields)
    if (row.line.plot == plotOf(panel)) metrics.push_back(row.metric);
  if (panel == Panel::Zeroing) metrics.push_back(ProcessMetric::ZeroingTime);
  return metrics;
}

bool measured(const Hello& hello, ProcessMetric metric) {
  return hello.quality(metric).grade != Grade::Unavailable;
}

bool estimated(const Hello& hello, ProcessMetric metric) {
  return hello.quality(metric).grade == Grade::Estimated;
}

// The value has "≈".
bool marked(const Hello& hello, ProcessMetric metric) {
  return field(metric).needs == Needs::Privilege && estimated(hello, metric);
}

bool measured(const Hello& hello, SystemMetric metric) {
  return hello.quality(metric).grade != Grade::Unavailable;
}

// A number of the whole machine that no process has a part of. Windows zeroes pages in the background.
struct MachineLine {
  Panel panel;
  SystemMetric metric;
  const char* name;
};
constexpr std::array kMachineLines{
    MachineLine{Panel::Time, SystemMetric::ZeroThreadCycles, "zeroing threads"},
    MachineLine{Panel::Time, SystemMetric::ZeroThreadTime, "zeroing threads"},
    MachineLine{Panel::Time, SystemMetric::SystemProcessCycles, "System, at most"},
    MachineLine{Panel::Zeroing, SystemMetric::DemandZeroFaults, "asked for zeroed"},
    MachineLine{Panel::Commit, SystemMetric::ZeroedListBytes, "zeroed list"},
    MachineLine{Panel::Commit, SystemMetric::FreeListBytes, "free list, not zeroed yet"},
};

bool hasLine(const MachineLine& line, const Hello& hello) {
  using enum SystemMetric;
  const bool timed = measured(hello, CyclesPerSecond);
  if (line.metric == ZeroThreadTime && timed && measured(hello, ZeroThreadCycles)) return false;  // coarser
  return measured(hello, line.metric) && (timed || !countsCycles(line.metric));
}

std::vector<LineKind> machineLines(Panel panel, const Theme& theme, const Hello& hello) {
  std::vector<LineKind> lines;
  for (const MachineLine& line : kMachineLines) {
    if (line.panel != panel || !hasLine(line, hello)) continue;
    const bool filled = panel != Panel::Commit && lines.empty();
    const bool pages = line.metric == SystemMetric::DemandZeroFaults;
    lines.push_back({.name = lineWords(line.name),
                     .colour = line.metric == SystemMetric::FreeListBytes         ? theme.major
                               : line.metric == SystemMetric::SystemProcessCycles ? theme.commit
                                                                                  : theme.zeroing,
                     .style = filled ? Qt::SolidLine : Qt::DashLine,
                     .filled = filled,
                     .estimated = hello.quality(line.metric).grade == Grade::Estimated || countsCycles(line.metric),
                     .machine = line.metric,
                     .scale = pages ? static_cast<float>(hello.machine.pageBytes) : 1});
  }
  return lines;
}

bool processesMeasured(Panel panel, const Hello& hello) {
  return std::ranges::any_of(metricsOf(panel), [&](ProcessMetric metric) { return measured(hello, metric); });
}

QColor colourOf(ProcessMetric metric, const Theme& theme) {
  switch (metric) {
    case ProcessMetric::MinorFaults:
    case ProcessMetric::FaultTime:
      return theme.minor;
    case ProcessMetric::MajorFaults:
    case ProcessMetric::MajorFaultTime:
      return theme.major;
    case ProcessMetric::ZeroedBytes:
    case ProcessMetric::ZeroingTime:
      return theme.zeroing;
    case ProcessMetric::CommitBytes:
    case ProcessMetric::FreedBytes:
    case ProcessMetric::TeardownTime:
      return theme.commit;
    default:
      return theme.dimInk;
  }
}

QString reason(const Quality& quality) {
  return text(quality.how + (quality.enable.empty() ? "" : " · " + quality.enable));
}

}  // namespace

std::vector<LineKind> wholeLines(Panel panel, bool followed, const Theme& theme, const Hello& hello) {
  if (!whyEmpty(panel, hello).isEmpty()) return {};
  const bool optional = panel == Panel::Time || panel == Panel::Zeroing;
  if (optional && !processesMeasured(panel, hello)) return machineLines(panel, theme, hello);
  std::vector<LineKind> lines;
  for (const auto& row : kProcessFields) {
    if (row.line.plot != plotOf(panel)) continue;
    const bool first = lines.empty();  // stays in the row of labels, as a dash if it is not measured
    const bool level = row.kind == MetricKind::Gauge;
    if (!first && ((level && !followed) || (row.needs == Needs::Privilege && !measured(hello, row.metric)))) continue;
    const QString name =
        level && !followed ? lineWords("all processes") : lineWords(std::string(row.line.name).c_str());
    const Qt::PenStyle style = first ? Qt::SolidLine : level ? Qt::DotLine : Qt::DashLine;
    lines.push_back(
        {name, row.metric, colourOf(row.metric, theme), style, first, row.line.ownScale, marked(hello, row.metric)});
  }
  if (!followed) std::ranges::move(machineLines(panel, theme, hello), std::back_inserter(lines));
  return lines;
}

// Ink, and no area below it: no other line has either.
LineKind besideLine(const LineKind& first, const BesideRun& run, const Theme& theme) {
  const Hello& hello = run.monitor->hello();
  LineKind kind{.name = run.name, .series = first.series, .colour = theme.ink, .machine = first.machine};
  kind.estimated = first.machine ? first.estimated : marked(hello, first.series);
  if (first.scale != 1) kind.scale = static_cast<float>(hello.machine.pageBytes);
  return kind;
}

ProcessMetric processSeries(Panel panel) {
  return metricsOf(panel).front();
}

QString whyEmpty(Panel panel, const Hello& hello) {
  if (panel != Panel::Time && panel != Panel::Zeroing) return {};
  if (processesMeasured(panel, hello)) return {};
  for (const MachineLine& line : kMachineLines)
    if (line.panel == panel && hasLine(line, hello)) return {};
  return reason(hello.quality(processSeries(panel)));
}

bool canFill(Panel panel, const Hello& hello) {
  return whyEmpty(panel, hello).isEmpty() || !hello.quality(processSeries(panel)).enable.empty();
}

QString panelWords(Panel panel, const Hello& hello) {
  QStringList words;
  for (const ProcessMetric metric : metricsOf(panel)) {
    const Quality& quality = hello.quality(metric);
    const QString mark = quality.grade == Grade::Exact ? QString() : QStringLiteral("\n") + reason(quality);
    words << text(field(metric).title) + QStringLiteral(": ") + text(field(metric).meaning) + mark;
  }
  for (const MachineLine& line : kMachineLines) {
    if (line.panel != panel || !hasLine(line, hello)) continue;
    const auto& row = field(line.metric);
    words << text(row.title) + QStringLiteral(": ") + text(row.meaning) + QStringLiteral("\n") +
                 reason(hello.quality(line.metric));
  }
  return words.join(QStringLiteral("\n\n"));
}

QString gapWords(Panel panel) {
  if (panel == Panel::Time)
    return lineWords(
        "Not measured at this moment. Timing slows each fault down a little, so faults are timed only while Faultline "
        "is shown or records.");
  return lineWords("Not measured at this moment.");
}

std::vector<QString> pinNames(const Pins& pins, const History& history) {
  std::vector<QString> names;
  for (const Pin& pin : pins.all())
    names.push_back(text(printableName(history.name(pin.key).value_or("process " + std::to_string(pin.key.pid)))));
  const std::vector<QString> plain = names;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (std::ranges::count(plain, plain[i]) > 1) names[i] += QStringLiteral(" %1").arg(pins.all()[i].key.pid);
  return names;
}

}  // namespace faultline
