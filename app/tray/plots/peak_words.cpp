#include "app/tray/plots/peak_words.h"

#include "app/tray/widgets/local_time.h"
#include "app/tray/widgets/plain_text.h"
#include "core/text/quantity.h"

namespace faultline {

using namespace Qt::StringLiterals;

QString seriesValue(ProcessMetric metric, double value) {
  const auto& row = field(metric);
  const auto whole = static_cast<std::uint64_t>(value);
  const std::string text = row.unit == Unit::Duration ? formatDuration(value)
                           : row.unit == Unit::Bytes  ? formatBytes(whole)
                                                      : formatRate(value);
  return QString::fromStdString(row.kind == MetricKind::Counter ? text + "/s" : text);
}

QString peakWords(const Monitor& monitor, Panel panel, MonotonicTime from, MonotonicTime to, bool dated) {
  const ProcessMetric series = processSeries(panel);
  const std::vector<PeakCause> causes = peakCauses(monitor, series, from, to);
  if (causes.empty()) return {};
  const QString format = dated ? u"yyyy-MM-dd HH:mm:ss.zzz"_s : u"HH:mm:ss.zzz"_s;
  QStringList lines{localTime(monitor.history().wall(to)).toString(format) + u", most by"_s};
  for (const PeakCause& cause : causes)
    lines << u"%1  %2 (%3)"_s.arg(seriesValue(series, cause.value), shortName(cause.name),
                                  QString::number(cause.key.pid));
  return plainToolTip(lines.join(u'\n'));
}

}  // namespace faultline
