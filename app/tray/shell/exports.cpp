#include "app/tray/shell/exports.h"

#include <QApplication>
#include <QClipboard>
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "app/tray/table/csv.h"
#include "app/tray/widgets/local_time.h"
#include "core/spikes/groups.h"
#include "core/spikes/text.h"
#include "core/text/quantity.h"

namespace faultline {
namespace {

QString exportWords(const char* words) {
  return QCoreApplication::translate("Exports", words);
}

// A range of every process, or of the pinned ones where the format wants those.
class RangeDocument {
 public:
  RangeDocument(const ExportFormat<RangeExporter>& format, const History& history, const Pins& pins,
                const TimeView& view)
      : m_range(format.make()), m_history(history), m_from(view.from()), m_to(view.to()) {
    if (format.pinned)
      for (const Pin& pin : pins.all()) m_keys.push_back(pin.key);
    if (m_keys.empty()) m_keys = history.aliveBetween(m_from, m_to);
  }

  Piece next(std::string& out) {
    if (m_next == 0) m_range->begin({}, out);
    if (m_next < m_keys.size()) {
      m_range->add({m_history, m_keys[m_next++], m_from, m_to}, out);
      return Piece::More;
    }
    m_range->end(out);
    return Piece::Last;
  }

 private:
  std::unique_ptr<RangeExporter> m_range;
  const History& m_history;
  MonotonicTime m_from;
  MonotonicTime m_to;
  std::vector<ProcessKey> m_keys;
  std::size_t m_next = 0;
};

}  // namespace

void saveMoment(QWidget* window, const Monitor& monitor, std::optional<MonotonicTime> instant, TellSaved tell) {
  saveAs(
      window,
      {exportWords("Snapshot to CSV"), QStringLiteral("faultline"), QStringLiteral(".csv"), exportWords("CSV (*.csv)")},
      [csv = instant ? csvOf(monitor, monitor.history().aliveAt(*instant), instant)
                     : exportedMoment(monitor.hello(), monitor.shown())](const QString& file) {
        return saveBytes(file, csv);
      },
      std::move(tell));
}

void saveRange(QWidget* window, const ExportFormat<RangeExporter>& format, const History& history, const Pins& pins,
               const TimeView& view, TellSaved tell) {
  const QString ending = QString::fromUtf8(format.ending);
  const QString kinds = QStringLiteral("%1 (*%2)").arg(QString::fromUtf8(format.words), ending);
  const auto document = std::make_shared<RangeDocument>(format, history, pins, view);
  saveInTurnsAs(
      window, {exportWords("Visible time range"), QStringLiteral("faultline-range"), ending, kinds},
      [document](std::string& out) { return document->next(out); }, std::move(tell));
}

void savePlotPicture(QWidget* window, PlotStack& plots, const Monitor& monitor, const TimeView& view, TellSaved tell) {
  saveAs(
      window,
      {exportWords("Save picture of the plots"), QStringLiteral("faultline"), QStringLiteral(".png"), pictureKinds()},
      [&plots, &monitor, &view](const QString& file) { return savePlots(plots, describe(monitor, view), file); },
      std::move(tell));
}

QString copyPlotPicture(PlotStack& plots, const Monitor& monitor, const TimeView& view) {
  QApplication::clipboard()->setImage(renderPlots(plots, describe(monitor, view)));
  return exportWords("The picture is on the clipboard.");
}

QString copySummary(const Monitor& monitor, std::optional<MonotonicTime> instant) {
  const QString summary = summarize(monitor, instant);
  QApplication::clipboard()->setText(summary);
  return exportWords("Copied: %1").arg(summary);
}

QString summarize(const Monitor& monitor, std::optional<MonotonicTime> instant) {
  const History& history = monitor.history();
  const MonotonicTime time = instant.value_or(monitor.shown().time);
  const auto total = history.totalAt(ProcessMetric::MinorFaults, time);
  std::string line = "Faultline " FAULTLINE_VERSION ", " + monitor.hello().machine.system;
  if (instant)
    line += ", " + localTime(history.wall(time)).toString(QStringLiteral("yyyy-MM-dd HH:mm:ss")).toStdString();
  line += ": " + (total ? formatRate(double{*total}) + " minor faults/s" : std::string("faults unavailable"));
  const auto rateOf = [&](const ProcessKey& key) {
    return monitor.isOwn(key) ? std::nullopt : history.at(key, ProcessMetric::MinorFaults, time);
  };
  const std::vector<ProcessKey> alive = history.aliveAt(time);
  const auto worst = std::ranges::max_element(alive, {}, rateOf);
  if (worst != alive.end())
    if (const auto rate = rateOf(*worst); rate && *rate > 0)
      line += ", most in " + printableName(history.name(*worst).value_or("")) + " (" + std::to_string(worst->pid) +
              ") with " + formatRate(double{*rate}) + "/s";
  const auto& spikes = monitor.spikes();
  const auto biggest = std::ranges::max_element(spikes, {}, spikeWeight);
  if (biggest != spikes.end())
    line += "; " + formatCount(spikes.size()) + " spikes, biggest in " + printableName(biggest->name) + ": " +
            spikeAmount(*biggest);
  return QString::fromStdString(line);
}

}  // namespace faultline
