#include "app/tray/replay/opened_recording.h"

#include <QCoreApplication>
#include <utility>

#include "core/text/quantity.h"

namespace faultline {
namespace {

QString tr(const char* sentence) {
  return QCoreApplication::translate("faultline::Session", sentence);
}

// Names the part on show of a recording that has not been read whole; empty before there are two snapshots.
QString partOf(const OpenedRecording& opened) {
  const Nanoseconds averages = opened.averages.value_or(Nanoseconds(0));
  if (averages == Nanoseconds(0)) return {};
  const QString left = opened.source.spikes() ? tr("short-lived processes") : tr("spikes and short-lived processes");
  return tr("averages of %1 where more than an hour is in view, without %2")
      .arg(QString::fromStdString(formatDuration(averages)), left);
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
  const QString part = partOf(*this);
  return tr("Reading %1: %2 %").arg(name).arg(static_cast<int>(source.progress() * 100)) +
         (part.isEmpty() ? part : tr(". Until then %1").arg(part));
}

QString OpenedRecording::remark() const {
  const QString part = partOf(*this);
  return part.isEmpty() ? source.trouble() : tr("Reading was cancelled: these are %1.").arg(part);
}

}  // namespace faultline
