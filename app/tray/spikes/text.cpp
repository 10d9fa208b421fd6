#include "app/tray/spikes/text.h"

#include <QLocale>
#include <cmath>

#include "app/tray/spikes/model.h"
#include "app/tray/widgets/local_time.h"
#include "core/spikes/text.h"
#include "core/text/quantity.h"

namespace faultline {
namespace {

using namespace Qt::StringLiterals;

constexpr double kMostTimes = 10'000;  // a greater factor to the usual rate is meaningless

QString processText(const Spike& spike) {
  return QString::fromStdString(printableName(spike.name));
}

QString pidText(const Spike& spike) {
  return spike.of == SpikeOf::Process ? u" (pid %1)"_s.arg(spike.key.pid) : QString();
}

QString amountText(const Spike& spike) {
  return QString::fromStdString(spikeAmount(spike));
}

QString peakText(const Spike& spike) {
  return QString::fromStdString(spikePeak(spike));
}

}  // namespace

QString spikeTime(const Spike& spike, bool dated) {
  return localTime(spike.wallStart).toString(dated ? u"MM-dd HH:mm:ss"_s : u"HH:mm:ss"_s);
}

QString spikeStrength(const Spike& spike) {
  const QString peak = peakText(spike);
  if (spike.usualPerSecond * kMostTimes < spike.peakPerSecond) return peak + u" · usually quiet"_s;
  const double times = spike.peakPerSecond / spike.usualPerSecond;
  const QString number = times < 10
                             ? QLocale().toString(times, 'f', 1)
                             : QString::fromStdString(formatCount(static_cast<std::uint64_t>(std::llround(times))));
  return peak + u" · ×%1 the usual"_s.arg(number);
}

QString spikeLine(const Spike& spike) {
  const QString line =
      u"%1  %2: %3, %4"_s.arg(localTime(spike.wallStart).toString(u"yyyy-MM-dd HH:mm:ss.zzz"_s),
                              processText(spike) + pidText(spike), amountText(spike), spikeStrength(spike));
  return spike.open ? line + u", still going on"_s : line;
}

QString spikeDetails(const Spike& spike) {
  const QString usual = u"usual rate %1 (median of the minute before)"_s.arg(
      QString::fromStdString(spikeRate(spike.metric, spike.usualPerSecond)));
  const QString state = spike.open ? u"still going on"_s : u"ended"_s;
  QStringList lines{processText(spike) + pidText(spike),
                    u"began "_s + localTime(spike.wallStart).toString(u"yyyy-MM-dd HH:mm:ss.zzz"_s) + u", "_s + state,
                    amountText(spike), peakText(spike), usual};
  if (const std::string rest = spikeRest(spike); !rest.empty())
    lines.insert(3, u"and "_s + QString::fromStdString(rest));
  if (spike.of == SpikeOf::ZeroingThreads)
    lines << u"Threads of the process System zero pages that programs have given back."_s;
  if (spike.of == SpikeOf::ZeroedList)
    lines << u"No page was zeroed in advance any more, so each fault zeroed its page itself."_s;
  return lines.join(u'\n');
}

QString habitLine(const SpikeRow& row) {
  if (row.times == 1) return spikeLine(row.latest);
  return u"%1 · %2 · %3; the latest: %4"_s.arg(processText(row.latest), QString::fromStdString(row.habit),
                                               QString::fromStdString(row.each), spikeLine(row.latest));
}

QString habitDetails(const SpikeRow& row) {
  if (row.times == 1) return spikeDetails(row.latest);
  QString whole = processText(row.latest) + u" · "_s + QString::fromStdString(row.habit);
  if (row.processes > 1) whole += u" · in %1 processes"_s.arg(QString::fromStdString(formatCount(row.processes)));
  return whole + u'\n' + QString::fromStdString(row.each) + u"\n\nThe latest:\n"_s + spikeDetails(row.latest);
}

}  // namespace faultline
