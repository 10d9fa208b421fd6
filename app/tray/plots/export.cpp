#include "app/tray/plots/export.h"

#include "app/tray/widgets/local_time.h"
#include "app/tray/widgets/saved_file.h"
#include "app/tray/widgets/theme.h"

namespace faultline {
namespace {

constexpr int kMargin = 12;

int headerHeight(const PlotStack& plots) {
  return QFontMetrics(plots.font()).height() * 2 + 2 * kMargin;
}

QSize pictureSize(const PlotStack& plots) {
  return plots.size() + QSize(0, headerHeight(plots));
}

void paint(PlotStack& plots, const PictureText& text, QPaintDevice& device) {
  const Theme theme = themeFor(plots.palette());
  const int header = headerHeight(plots);
  QCPPainter painter(&device);
  painter.fillRect(QRect(QPoint(0, 0), pictureSize(plots)), theme.base);
  QFont bold = plots.font();
  bold.setBold(true);
  const QFontMetrics metrics(bold);
  painter.setFont(bold);
  painter.setPen(theme.ink);
  painter.drawText(kMargin, kMargin + metrics.ascent(), text.title);
  painter.setFont(plots.font());
  painter.setPen(theme.dimInk);
  painter.drawText(kMargin, kMargin + metrics.height() + metrics.ascent(), text.machine);
  painter.drawText(QRect(0, kMargin, plots.width() - kMargin, metrics.height()), Qt::AlignRight, text.range);
  painter.translate(0, header);
  plots.paintStill(painter);
}

// Valid while `plots` and `text` are.
Picture pictureOf(PlotStack& plots, const PictureText& text) {
  return {.size = pictureSize(plots),
          .title = text.title,
          .description = text.machine + QStringLiteral(", ") + text.range,
          .paint = [&plots, &text](QPaintDevice& device) { paint(plots, text, device); }};
}

QDateTime when(const Monitor& monitor, MonotonicTime time) {
  return localTime(monitor.history().wall(time));
}

// Gives the day only once if both are the same.
QString fromTo(const QDateTime& from, const QDateTime& to) {
  const QString whole = QStringLiteral("yyyy-MM-dd HH:mm:ss");
  return from.toString(whole) + QStringLiteral(" to ") +
         to.toString(from.date() == to.date() ? QStringLiteral("HH:mm:ss") : whole);
}

}  // namespace

PictureText describe(const Monitor& monitor, const TimeView& view) {
  const Machine& machine = monitor.hello().machine;
  return {QStringLiteral("Faultline: page faults and memory"),
          QString::fromStdString(machine.processor + ", " + machine.system),
          fromTo(when(monitor, view.from()), when(monitor, view.to()))};
}

QImage renderPlots(PlotStack& plots, const PictureText& text) {
  return renderPicture(pictureOf(plots, text));
}

Result<void> savePlots(PlotStack& plots, const PictureText& text, const QString& file) {
  return savePicture(file, pictureOf(plots, text));
}

}  // namespace faultline
