#include "app/tray/notifier.h"

#include <QCoreApplication>
#include <utility>

#include "app/tray/plain_text.h"
#include "core/text/quantity.h"

namespace faultline {

namespace {

QString tr(const char* text, int n = -1) {
  return QCoreApplication::translate("Notifier", text, nullptr, n);
}

QString amount(const Spike& spike) {
  const QString count = QString::fromStdString(formatCount(spike.faults));
  const QString lasted = QString::fromStdString(formatDuration(spike.end - spike.start));
  return spike.metric == ProcessMetric::MajorFaults ? tr("%1 major faults in %2").arg(count, lasted)
                                                    : tr("%1 page faults in %2").arg(count, lasted);
}

}  // namespace

std::optional<Notification> Notifier::spikeEnded(const Spike& spike, MonotonicTime now) {
  if (m_lastTold && now - *m_lastTold < kBetweenNotifications) {
    ++m_untold;
    return std::nullopt;
  }
  m_lastTold = now;
  const std::uint64_t untold = std::exchange(m_untold, 0);
  Notification told;
  told.spike = spike.id;
  told.title = shortName(spike.name);
  told.text = tr("%1, at most %2/s; usual is %3/s.")
                  .arg(amount(spike), QString::fromStdString(formatRate(spike.peakPerSecond)),
                       QString::fromStdString(formatRate(spike.usualPerSecond)));
  if (untold > 0)
    told.text += QLatin1Char(' ') + tr("%1 more since the last notification.").arg(QString::number(untold));
  return told;
}

}  // namespace faultline
