#include "app/tray/beside/words.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QStringList>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "app/tray/widgets/local_time.h"
#include "app/tray/widgets/utf8.h"
#include "core/model/names.h"
#include "core/text/quantity.h"

namespace faultline {
namespace {

constexpr Nanoseconds kSameTime = std::chrono::milliseconds(1);

QString tr(const char* words) {
  return QCoreApplication::translate("Beside", words);
}

struct Sum {
  const char* words;
  std::array<ProcessMetric, 2> metrics;  // added
};
constexpr std::array kSums{Sum{"page faults", {ProcessMetric::MinorFaults, ProcessMetric::MajorFaults}},
                           Sum{"time in faults", {ProcessMetric::FaultTime, ProcessMetric::FaultTime}},
                           Sum{"zeroed", {ProcessMetric::ZeroedBytes, ProcessMetric::ZeroedBytes}}};

// Absent where either part is.
std::optional<double> sumOf(const Sum& sum, const ProcessDeltas& deltas) {
  const auto one = deltas.get(sum.metrics[0]);
  const auto other = deltas.get(sum.metrics[1]);
  if (!one || !other) return std::nullopt;
  return static_cast<double>(sum.metrics[0] == sum.metrics[1] ? *one : *one + *other);
}

Grade gradeOf(const Sum& sum, const Hello& hello) {
  return hello.quality(sum.metrics[0]).grade;
}

QString amount(std::optional<double> value, const Sum& sum, Grade grade) {
  if (!value) return text(kUnavailable);
  const QString number = text(comparedAmount(*value, field(sum.metrics[0]).unit));
  return grade == Grade::Estimated ? QStringLiteral("≈ ") + number : number;
}

QString difference(double before, double after, const Sum& sum) {
  const QString apart = text(comparedAmount(std::abs(after - before), field(sum.metrics[0]).unit));
  const QString share =
      before > 0 ? QStringLiteral(", %1").arg(text(formatPercent(std::abs(after / before - 1)))) : QString();
  return after < before ? tr(" (%1 less%2)").arg(apart, share) : tr(" (%1 more%2)").arg(apart, share);
}

const ProcessDeltas& deltasOf(const SweepTotals& totals, const std::optional<std::string>& program) {
  static const ProcessDeltas kNone;
  if (!program) return totals.everyone;
  const auto named = totals.byName.find(*program);
  return named == totals.byName.end() ? kNone : named->second;
}

QDateTime beginOf(const History& history) {
  return localTime(history.wall(*history.oldest()));
}

}  // namespace

Nanoseconds daysBetween(const History& first, const History& second) {
  if (!first.oldest() || !second.oldest()) return Nanoseconds(0);
  const QDateTime begin = beginOf(first);
  const QDateTime other = beginOf(second);
  if (other <= localTime(first.wall(*first.newest())) && begin <= localTime(second.wall(*second.newest())))
    return Nanoseconds(0);
  QDateTime nearest = other;
  const qint64 days = other.date().daysTo(begin.date());
  for (const qint64 day : {days - 1, days, days + 1}) {
    const QDateTime moved = other.addDays(day);
    if (std::abs(moved.msecsTo(begin)) < std::abs(nearest.msecsTo(begin))) nearest = moved;
  }
  return std::chrono::milliseconds(other.msecsTo(nearest));
}

QString alignmentText(Alignment alignment, const QString& program) {
  switch (alignment) {
    case Alignment::Clock:
      return tr("by time of day");
    case Alignment::Start:
      return tr("by start");
    case Alignment::Program:
      break;
  }
  return program.isEmpty() ? tr("by the start of the selected process") : tr("by the start of %1").arg(program);
}

QString laterText(Nanoseconds later) {
  if (std::chrono::abs(later) < kSameTime) return tr("is of the same time");
  const QString by = text(formatDuration(std::chrono::abs(later)));
  return later > Nanoseconds(0) ? tr("is %1 later").arg(by) : tr("is %1 earlier").arg(by);
}

TwoNames namesOf(const QString& firstFile, const QString& secondFile) {
  const QFileInfo first(firstFile);
  const QFileInfo second(secondFile);
  if (first.fileName() != second.fileName()) return {first.fileName(), second.fileName()};
  if (first.absoluteFilePath() == second.absoluteFilePath())
    return {first.fileName(), tr("%1 again").arg(second.fileName())};
  const auto placed = [](const QFileInfo& file) {
    return file.absoluteDir().dirName() + QLatin1Char('/') + file.fileName();
  };
  return {placed(first), placed(second)};
}

TwoTotals totalsOf(const BothRuns& runs, const std::optional<std::string>& only) {
  return {sweepTotals(runs.first.history(), runs.from, runs.to, only),
          sweepTotals(runs.second.history(), runs.from - runs.shift, runs.to - runs.shift, only)};
}

QString sumsText(const BothRuns& runs, const TwoTotals& totals, const std::optional<std::string>& program) {
  QStringList sums;
  for (const Sum& sum : kSums) {
    const auto before = sumOf(sum, deltasOf(totals.first, program));
    const auto after = sumOf(sum, deltasOf(totals.second, program));
    const Grade grade = gradeOf(sum, runs.first.hello());
    const Grade other = gradeOf(sum, runs.second.hello());
    QString words = tr("%1 %2, beside %3").arg(tr(sum.words), amount(before, sum, grade), amount(after, sum, other));
    if (before && after) words += difference(*before, *after, sum);
    words += QStringLiteral(", ") + text(gradeName(grade));
    if (other != grade) words += tr(", beside %1").arg(text(gradeName(other)));
    sums << words;
  }
  return tr("In view (%1, beside %2), %3: %4")
      .arg(text(formatDuration(totals.first.duration)), text(formatDuration(totals.second.duration)),
           program ? text(printableName(*program)) : tr("all processes"), sums.join(QStringLiteral(" · ")));
}

}  // namespace faultline
