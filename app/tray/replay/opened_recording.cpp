#include "app/tray/replay/opened_recording.h"

#include <QCoreApplication>
#include <utility>

#include "core/text/quantity.h"

namespace faultline {
namespace {

QString tr(const char* sentence) {
  return QCoreApplication::translate("faultline::Session", sentence);
}

// Empty before there are two snapshots to average between.
QString averaged(const char* sentence, std::optional<Nanoseconds> averages) {
  if (averages.value_or(Nanoseconds(0)) == Nanoseconds(0)) return {};
  return tr(sentence).arg(QString::fromStdString(formatDuration(*averages)));
}

}  // namespace

void OpenedRecording::ingest(Monitor& shown, const Snapshot& snapshot, std::optional<Nanoseconds> skipped) {
  Monitor& monitor = filled(shown);
  monitor.expectStep(skipped);
  monitor.ingest(snapshot);
  if (skipped) step = skipped->count() > 0 ? *skipped : monitor.now().interval;
  if (!filling) averages = step;
}

void OpenedRecording::showFilled(Monitor& shown) {
  if (filling && filling->snapshots() > 0) {
    filling->layCloseUp(shown.takeCloseUp());
    shown = std::move(*filling);
    averages = step;
  }
  filling.reset();
  if (source.spikes()) shown.tellSpikes(*source.spikes());
}

QString OpenedRecording::readingText(const QString& name) const {
  const char* const until =
      source.spikes()
          ? ". Until then averages of %1 where more than an hour is in view, without short-lived processes"
          : ". Until then averages of %1 where more than an hour is in view, without spikes and short-lived processes";
  return tr("Reading %1: %2 %").arg(name).arg(static_cast<int>(source.progress() * 100)) + averaged(until, averages);
}

QString OpenedRecording::remark() const {
  const char* const cancelled =
      source.spikes() ? "Reading was cancelled: these are averages of %1 where more than an hour is in view, without "
                        "short-lived processes."
                      : "Reading was cancelled: these are averages of %1 where more than an hour is in view, without "
                        "spikes and short-lived processes.";
  const QString part = averaged(cancelled, averages);
  return part.isEmpty() ? source.trouble() : part;
}

}  // namespace faultline
