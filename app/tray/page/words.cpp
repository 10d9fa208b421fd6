#include "app/tray/page/words.h"

#include <QCoreApplication>
#include <algorithm>
#include <utility>

#include "app/tray/page/minute_line.h"
#include "app/tray/widgets/local_time.h"
#include "app/tray/widgets/utf8.h"
#include "core/model/names.h"
#include "core/text/quantity.h"

namespace faultline {
namespace {

constexpr Nanoseconds kWholeMinute = kMinuteLineSpan * 9 / 10;  // a sample at its beginning may have no rate

QString tr(const char* words) {
  return QCoreApplication::translate("SidePage", words);
}

QString timeText(double ns) {
  return text(formatDuration(ns));
}

}  // namespace

// As the samples have it; the lengths of the samples weigh them.
MinuteCost minuteCost(const History& history, const ProcessKey& key, MonotonicTime until) {
  const std::vector<Stretch> stretches = history.stretches(key, until - kMinuteLineSpan, until);
  Nanoseconds known{};
  for (const Stretch& stretch : stretches)
    if (const auto& part = stretch.of(ProcessMetric::MinorFaults); part && part->rated) known += part->known;
  const auto average = [&](ProcessMetric metric) -> std::optional<double> {
    double sum = 0;
    double of = 0;
    for (const Stretch& stretch : stretches) {
      const auto& part = stretch.of(metric);
      if (!part || !part->rated) continue;
      sum += part->mean * inNs(part->known);
      of += inNs(part->known);
    }
    return of > 0 ? std::optional(sum / of) : std::nullopt;
  };
  return {.faults = average(ProcessMetric::FaultTime),
          .onProcessor = average(ProcessMetric::FaultTimeOnProcessor),
          .waiting = average(ProcessMetric::FaultTimeWaiting),
          .blocked = average(ProcessMetric::FaultTimeBlocked),
          .teardown = average(ProcessMetric::TeardownTime),
          .minor = average(ProcessMetric::MinorFaults),
          .known = known};
}

Headline headlineOf(const MinuteCost& cost, const Hello& hello, Nanoseconds frame) {
  const QString minute =
      cost.known < kWholeMinute ? tr("%1 of the last minute").arg(timeText(inNs(cost.known))) : tr("the last minute");
  if (!cost.faults) {
    const bool unmeasured = hello.quality(ProcessMetric::FaultTime).grade == Grade::Unavailable;
    return {text(cost.minor ? formatRate(*cost.minor) : std::string(kUnavailable)),
            (unmeasured ? tr("minor faults per second in %1; their time is not measured")
                        : tr("minor faults per second in %1"))
                .arg(minute)};
  }
  const double share = (*cost.faults + cost.teardown.value_or(0)) / 1e9;
  const auto estimated = [&](ProcessMetric metric) { return hello.quality(metric).grade == Grade::Estimated; };
  const bool about = estimated(ProcessMetric::FaultTime) || (cost.teardown && estimated(ProcessMetric::TeardownTime));
  const QString what = cost.teardown ? tr("of a core in %1, by page faults and giving memory back: %2 in each %3")
                                     : tr("of a core in %1, by page faults: %2 in each %3");
  return {(about ? QStringLiteral("≈ ") : QString()) + text(formatPercent(share)),
          what.arg(minute, share > 0 ? timeText(share * inNs(frame)) : QStringLiteral("0"), timeText(inNs(frame)))};
}

std::vector<Part> costParts(const MinuteCost& cost) {
  std::vector<Part> parts;
  const auto add = [&](double ns, const char* name, PartInk ink) {
    if (ns >= 1) parts.push_back({tr(name), ns, timeText(ns) + tr("/s"), ink});
  };
  if (cost.onProcessor && cost.waiting && cost.blocked) {
    add(*cost.onProcessor, "in faults on a processor", PartInk::OnProcessor);
    add(*cost.blocked, "blocked in faults", PartInk::Blocked);
    add(*cost.waiting, "waiting for a processor", PartInk::Waiting);
  } else {
    add(cost.faults.value_or(0), "in faults", PartInk::OnProcessor);
  }
  add(cost.teardown.value_or(0), "giving memory back", PartInk::GivingBack);
  return parts;
}

QStringList qualityLines(const Hello& hello, std::span<const ProcessMetric> metrics) {
  std::vector<std::pair<const Quality*, QStringList>> groups;
  for (const ProcessMetric metric : metrics) {
    const Quality& quality = hello.quality(metric);
    if (ofNoConcern(quality)) continue;
    const auto same = std::ranges::find_if(groups, [&](const auto& group) { return *group.first == quality; });
    if (same == groups.end()) groups.push_back({&quality, {text(field(metric).title)}});
    else same->second << text(field(metric).title);
  }
  QStringList lines;
  for (const auto& [quality, titles] : groups) {
    QString line = titles.join(QStringLiteral(", ")) + QStringLiteral(": ") + text(gradeName(quality->grade));
    if (!quality->how.empty()) line += QStringLiteral(". ") + text(quality->how);
    if (!quality->enable.empty()) line += u' ' + tr("To enable: %1").arg(text(quality->enable));
    lines << line;
  }
  return lines;
}

QString startedText(const ProcessKey& key, const Monitor& monitor) {
  const auto start = monitor.startOf(key);
  if (!start) return {};
  const QDateTime now = localTime(monitor.shown().wallTime);
  const QDateTime then = localTime(*start);
  const QString form = then.date() == now.date() ? QStringLiteral("HH:mm:ss") : QStringLiteral("yyyy-MM-dd HH:mm");
  return QStringLiteral("≈\u00a0") + then.toString(form);
}

}  // namespace faultline
