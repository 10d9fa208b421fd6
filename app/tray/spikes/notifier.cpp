#include "app/tray/spikes/notifier.h"

#include <QCoreApplication>
#include <utility>

#include "app/tray/widgets/plain_text.h"
#include "core/spikes/text.h"
#include "core/text/quantity.h"

namespace faultline {

namespace {

QString notifierWords(const char* text, int n = -1) {
  return QCoreApplication::translate("Notifier", text, nullptr, n);
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
  told.program = spike.name;
  told.since = spike.start;
  told.title = shortName(spike.name);
  told.text = notifierWords("%1, at most %2; usually %3.")
                  .arg(QString::fromStdString(spikeAmount(spike)),
                       QString::fromStdString(spikeRate(spike.metric, spike.peakPerSecond)),
                       QString::fromStdString(spikeRate(spike.metric, spike.usualPerSecond)));
  if (untold > 0)
    told.text += QLatin1Char(' ') +
                 notifierWords("%1 more since the last notification.").arg(QString::fromStdString(formatCount(untold)));
  return told;
}

}  // namespace faultline
