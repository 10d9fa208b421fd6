#include "app/tray/plots/lines.h"

#include <QCoreApplication>
#include <algorithm>
#include <array>
#include <span>

#include "core/text/quantity.h"

namespace faultline {
namespace {

QString tr(const char* text) {
  return QCoreApplication::translate("PlotLines", text);
}

QString text(std::string_view utf8) {
  return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

std::span<const ProcessMetric> metricsOf(Panel panel) {
  using enum ProcessMetric;
  static constexpr std::array kFaults{MinorFaults, MajorFaults};
  static constexpr std::array kTime{FaultTime, MajorFaultTime, ZeroingTime};
  static constexpr std::array kZeroing{ZeroedBytes, ZeroingTime};
  static constexpr std::array kCommit{CommitBytes};
  switch (panel) {
    case Panel::Faults:
      return kFaults;
    case Panel::Time:
      return kTime;
    case Panel::Zeroing:
      return kZeroing;
    case Panel::Commit:
      break;
  }
  return kCommit;
}

bool measured(const Hello& hello, ProcessMetric metric) {
  return hello.quality(metric).grade != Grade::Unavailable;
}

bool estimated(const Hello& hello, ProcessMetric metric) {
  return hello.quality(metric).grade == Grade::Estimated;
}

// Fault time stays in the row of labels as a dash when only the rest is measured. There is one zeroing time: the
// sampled one is a second opinion, and stays with the qualities.
std::vector<LineKind> timeLines(const Theme& theme, const Hello& hello) {
  using enum ProcessMetric;
  std::vector<LineKind> lines{{tr("faults"), Series::FaultTimeRate, theme.minor, Qt::SolidLine, true}};
  if (measured(hello, MajorFaultTime))
    lines.push_back({tr("major"), Series::MajorFaultTimeRate, theme.major, Qt::DashLine});
  if (measured(hello, ZeroingTime))
    lines.push_back({tr("zeroing"), Series::ZeroingTimeRate, theme.zeroing, Qt::DashLine, false, false,
                     estimated(hello, ZeroingTime)});
  return lines;
}

QString reason(const Quality& quality) {
  return text(quality.how + (quality.enable.empty() ? "" : " · " + quality.enable));
}

}  // namespace

std::vector<LineKind> wholeLines(Panel panel, bool followed, const Theme& theme, const Hello& hello) {
  if (!whyEmpty(panel, hello).isEmpty()) return {};
  switch (panel) {
    case Panel::Faults:
      return {{tr("minor"), Series::MinorRate, theme.minor, Qt::SolidLine, true},
              {tr("major"), Series::MajorRate, theme.major, Qt::DashLine, false, true}};
    case Panel::Time:
      return timeLines(theme, hello);
    case Panel::Zeroing:
      return {{tr("all"), Series::ZeroedRate, theme.zeroing, Qt::SolidLine, true, false,
               estimated(hello, ProcessMetric::ZeroedBytes)}};
    case Panel::Commit:
      break;
  }
  if (!followed) return {{tr("all processes"), Series::CommitBytes, theme.commit, Qt::SolidLine, true}};
  return {{tr("commit"), Series::CommitBytes, theme.commit, Qt::SolidLine, true},
          {tr("resident"), Series::ResidentBytes, theme.dimInk, Qt::DotLine}};
}

Series processSeries(Panel panel) {
  static constexpr std::array<Series, kPanelCount> kSeries{Series::MinorRate, Series::FaultTimeRate, Series::ZeroedRate,
                                                           Series::CommitBytes};
  return kSeries.at(static_cast<std::size_t>(panel));
}

QString whyEmpty(Panel panel, const Hello& hello) {
  if (panel != Panel::Time && panel != Panel::Zeroing) return {};
  const auto metrics = metricsOf(panel);
  for (const ProcessMetric metric : metrics)
    if (measured(hello, metric)) return {};
  return reason(hello.quality(metrics.front()));
}

QString panelWords(Panel panel, const Hello& hello) {
  QStringList words;
  for (const ProcessMetric metric : metricsOf(panel)) {
    const Quality& quality = hello.quality(metric);
    const QString mark = quality.grade == Grade::Exact ? QString() : QStringLiteral("\n") + reason(quality);
    words << text(field(metric).title) + QStringLiteral(": ") + text(field(metric).meaning) + mark;
  }
  return words.join(QStringLiteral("\n\n"));
}

QString gapWords(Panel panel) {
  if (panel == Panel::Time)
    return tr(
        "Not measured at this moment. Taking the time of each fault slows faults down a little, so it is done "
        "only while somebody looks.");
  return tr("Nothing was measured at this moment.");
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
