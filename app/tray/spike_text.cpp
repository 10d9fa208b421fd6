#include "app/tray/spike_text.h"

#include <QDateTime>
#include <cmath>

#include "core/text/quantity.h"

namespace faultline {
namespace {

using namespace Qt::StringLiterals;

constexpr double kLeastUsual = 1;  // per second; below it "times the usual" says nothing

QDateTime localTime(const Spike& spike) {
  const auto time = std::chrono::duration_cast<std::chrono::milliseconds>(spike.wallStart.sinceEpoch);
  return QDateTime::fromMSecsSinceEpoch(time.count());
}

QString faultKind(const Spike& spike) {
  return spike.metric == ProcessMetric::MajorFaults ? u"major faults"_s : u"minor faults"_s;
}

QString processText(const Spike& spike) {
  return QString::fromStdString(printableName(spike.name));
}

QString rate(double perSecond) {
  return QString::fromStdString(formatRate(perSecond)) + u"/s"_s;
}

}  // namespace

QString spikeTime(const Spike& spike) {
  return localTime(spike).toString(u"HH:mm:ss"_s);
}

QString spikeAmount(const Spike& spike) {
  const QString faults = QString::fromStdString(formatCount(spike.faults));
  const QString lasted = QString::fromStdString(formatDuration(spike.end - spike.start));
  return u"%1 %2 in %3"_s.arg(faults, faultKind(spike), lasted);
}

QString spikeStrength(const Spike& spike) {
  const QString peak = u"peak "_s + rate(spike.peakPerSecond);
  if (spike.usualPerSecond < kLeastUsual) return peak + u" · usually quiet"_s;
  const double times = spike.peakPerSecond / spike.usualPerSecond;
  const QString number = times < 10
                             ? QString::number(times, 'f', 1)
                             : QString::fromStdString(formatCount(static_cast<std::uint64_t>(std::llround(times))));
  return peak + u" · ×%1 the usual"_s.arg(number);
}

QString spikeLine(const Spike& spike) {
  const QString line =
      u"%1  %2 (pid %3): %4, %5"_s.arg(localTime(spike).toString(u"yyyy-MM-dd HH:mm:ss.zzz"_s), processText(spike))
          .arg(spike.key.pid)
          .arg(spikeAmount(spike), spikeStrength(spike));
  return spike.open ? line + u", still going on"_s : line;
}

QString spikeDetails(const Spike& spike) {
  const QString usual = u"usual rate %1 (median of the minute before)"_s.arg(rate(spike.usualPerSecond));
  const QString state = spike.open ? u"still going on"_s : u"ended"_s;
  return QStringList{processText(spike) + u" (pid %1)"_s.arg(spike.key.pid),
                     u"began "_s + localTime(spike).toString(u"yyyy-MM-dd HH:mm:ss.zzz"_s) + u", "_s + state,
                     spikeAmount(spike), u"peak "_s + rate(spike.peakPerSecond), usual}
      .join(u'\n');
}

}  // namespace faultline
