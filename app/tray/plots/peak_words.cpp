#include "app/tray/plots/peak_words.h"

#include <QDateTime>
#include <cmath>

#include "app/tray/widgets/plain_text.h"
#include "core/text/quantity.h"

namespace faultline {

using namespace Qt::StringLiterals;

QString seriesValue(Series series, double value) {
  const auto text = [&]() -> std::string {
    switch (series) {
      case Series::MinorRate:
      case Series::MajorRate:
        return formatRate(value) + "/s";
      case Series::CommitBytes:
      case Series::ResidentBytes:
        return formatBytes(static_cast<std::uint64_t>(value));
      case Series::ZeroedRate:
        return formatBytes(static_cast<std::uint64_t>(value)) + "/s";
      default:
        return formatDuration(Nanoseconds(std::llround(value))) + "/s";
    }
  };
  return QString::fromStdString(text());
}

QString peakWords(const History& history, Panel panel, MonotonicTime from, MonotonicTime to) {
  const Series series = processSeries(panel);
  const std::vector<PeakCause> causes = peakCauses(history, series, from, to);
  if (causes.empty()) return {};
  const auto wall = std::chrono::duration_cast<std::chrono::milliseconds>(history.wall(to).sinceEpoch);
  QStringList lines{QDateTime::fromMSecsSinceEpoch(wall.count()).toString(u"HH:mm:ss.zzz"_s) + u", the most by"_s};
  for (const PeakCause& cause : causes)
    lines << u"%1  %2 (%3)"_s.arg(seriesValue(series, cause.value), shortName(cause.name),
                                  QString::number(cause.key.pid));
  return plainToolTip(lines.join(u'\n'));
}

}  // namespace faultline
