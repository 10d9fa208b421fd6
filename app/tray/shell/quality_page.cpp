#include "app/tray/shell/quality_page.h"

#include <algorithm>

#include "core/model/names.h"
#include "core/spikes/groups.h"
#include "core/spikes/text.h"
#include "core/text/quantity.h"

namespace faultline {
namespace {

QString html(std::string_view text) {
  return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())).toHtmlEscaped();
}

QString gradeText(Grade grade) {
  const QString name = html(gradeName(grade));
  return grade == Grade::Exact ? name : html(gradeMark(grade)) + QLatin1Char(' ') + name;
}

QString toEnable(const Quality& quality) {
  return QStringLiteral("<br>To enable: ") + html(quality.enable);
}

template <class Metric, std::size_t Count>
QString rows(const Hello& hello) {
  QString out;
  for (std::size_t i = 0; i < Count; ++i) {
    const auto metric = static_cast<Metric>(i);
    const Quality& quality = hello.quality(metric);
    if (ofNoConcern(quality)) continue;
    out += QStringLiteral("<p><b>%1</b> · %2<br>%3<br><i>%4</i></p>")
               .arg(html(field(metric).title), gradeText(quality.grade), html(field(metric).meaning),
                    html(quality.how) + (quality.enable.empty() ? QString() : toEnable(quality)));
  }
  return out;
}

}  // namespace

QString qualityPage(const Hello& hello) {
  return QStringLiteral("<h3>Of each process</h3>") + rows<ProcessMetric, kProcessMetricCount>(hello) +
         QStringLiteral("<h3>Of the whole machine</h3>") + rows<SystemMetric, kSystemMetricCount>(hello);
}

QString summarize(const Monitor& monitor) {
  const Moment& now = monitor.now();
  const auto total = now.perSecond(now.processTotal.get(ProcessMetric::MinorFaults));
  std::string line = "Faultline " FAULTLINE_VERSION ", " + monitor.hello().machine.system + ": " +
                     (total ? formatRate(*total) + " minor faults/s" : std::string("faults unavailable"));
  const auto least = [](const ProcessRow& a, const ProcessRow& b) {
    return a.deltas.get(ProcessMetric::MinorFaults) < b.deltas.get(ProcessMetric::MinorFaults);
  };
  const auto worst = std::max_element(now.rows.begin(), now.rows.end(), least);
  if (worst != now.rows.end())
    if (const auto rate = now.perSecond(worst->deltas.get(ProcessMetric::MinorFaults)); rate && *rate > 0)
      line += ", most in " + printableName(worst->name) + " (" + std::to_string(worst->key.pid) + ") with " +
              formatRate(*rate) + "/s";
  const auto& spikes = monitor.spikes();
  const auto biggest = std::ranges::max_element(spikes, {}, spikeWeight);
  if (biggest != spikes.end())
    line += "; " + std::to_string(spikes.size()) + " spikes, biggest in " + printableName(biggest->name) + ": " +
            spikeAmount(*biggest);
  return QString::fromStdString(line);
}

}  // namespace faultline
