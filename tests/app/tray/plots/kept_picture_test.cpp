// The plots of the synthetic Windows, from its collector's program, compared with a kept picture: a digit for each
// field of the plots tells how much of it is drawn on, so that the picture depends on no font.
#include <QApplication>
#include <QFile>
#include <QProcess>
#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <string>
#include <vector>

#include "app/tray/plots/stack.h"
#include "core/stream/decoder.h"

namespace faultline {
namespace {

constexpr int kColumns = 72;
constexpr int kRows = 6;
constexpr const char* kKept = FAULTLINE_FIXTURES "/plots/windows.txt";

Monitor syntheticWindows() {
  QProcess collector;
  collector.start(QStringLiteral(FAULTLINE_BIN "/faultline-collector"),
                  {QStringLiteral("sweep"), QStringLiteral("--synthetic"), QStringLiteral("windows"),
                   QStringLiteral("--fast"), QStringLiteral("--count"), QStringLiteral("240")});
  REQUIRE(collector.waitForFinished(60'000));
  const QByteArray bytes = collector.readAllStandardOutput();
  Decoder decoder;
  decoder.feed(std::as_bytes(std::span(bytes.constData(), static_cast<std::size_t>(bytes.size()))));
  Monitor monitor;
  for (;;) {
    const auto event = decoder.next();
    REQUIRE(event);
    if (const auto* const hello = std::get_if<Hello>(&*event)) monitor.ingest(*hello);
    else if (const auto* const snapshot = std::get_if<const Snapshot*>(&*event)) monitor.ingest(**snapshot);
    else return monitor;
  }
}

// The share of each field's pixels that differ from the background, from 0 to 9.
std::vector<std::string> digitsOf(const QImage& plot) {
  const QImage scaled = plot.convertToFormat(QImage::Format_RGB32);
  const QRgb background = QApplication::palette().color(QPalette::Base).rgb();
  std::vector<std::string> lines;
  for (int row = 0; row < kRows; ++row) {
    std::string line;
    for (int column = 0; column < kColumns; ++column) {
      const QRect field(QPoint(column * scaled.width() / kColumns, row * scaled.height() / kRows),
                        QPoint((column + 1) * scaled.width() / kColumns - 1, (row + 1) * scaled.height() / kRows - 1));
      int drawn = 0;
      for (int y = field.top(); y <= field.bottom(); ++y)
        for (int x = field.left(); x <= field.right(); ++x) drawn += scaled.pixel(x, y) != background ? 1 : 0;
      line += static_cast<char>('0' + std::min(9, 10 * drawn / (field.width() * field.height())));
    }
    lines.push_back(line);
  }
  return lines;
}

std::string pictureOf(const Monitor& monitor) {
  const Pins pins;
  TimeView view;
  PlotStack plots(monitor, pins, view);
  plots.resize(900, 640);
  view.setData(*monitor.history().oldest(), *monitor.history().newest());
  view.setSpan(std::chrono::seconds(60));
  plots.show();
  plots.refresh();
  for (int i = 0; i < 4; ++i) QApplication::processEvents();
  const QImage whole = plots.grab().toImage();
  std::string picture;
  for (const QCPAxisRect* plot : plots.axisRects()) {
    if (!plot->visible()) continue;
    for (const std::string& line : digitsOf(whole.copy(plot->rect()))) picture += line + "\n";
    picture += "\n";
  }
  return picture;
}

}  // namespace

// To keep another picture: set FAULTLINE_KEEP, run the test, and look at the difference.
TEST_CASE("The plots of the synthetic Windows are those of the kept picture") {
  const std::string picture = pictureOf(syntheticWindows());
  if (std::getenv("FAULTLINE_KEEP") != nullptr) {
    QFile file(QString::fromLatin1(kKept));
    REQUIRE(file.open(QIODevice::WriteOnly));
    file.write(picture.data(), static_cast<qint64>(picture.size()));
  }
  QFile file(QString::fromLatin1(kKept));
  REQUIRE(file.open(QIODevice::ReadOnly));
  const std::string kept = file.readAll().toStdString();
  INFO(picture);
  REQUIRE(picture.size() == kept.size());
  int different = 0;
  for (std::size_t i = 0; i < kept.size(); ++i) different += std::abs(picture[i] - kept[i]) > 2 ? 1 : 0;
  CHECK(different <= static_cast<int>(kept.size()) / 25);  // names beside peaks have the width of the font
}

}  // namespace faultline
