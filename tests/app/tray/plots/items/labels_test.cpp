#include "app/tray/plots/items/labels.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>

using namespace faultline;

TEST_CASE("Labels of round ticks lose needless digits") {
  CHECK(roundLabel(QStringLiteral("80.0 k")) == QStringLiteral("80 k"));
  CHECK(roundLabel(QStringLiteral("2.50 GiB")) == QStringLiteral("2.5 GiB"));
  CHECK(roundLabel(QStringLiteral("1.00 MiB")) == QStringLiteral("1 MiB"));
  CHECK(roundLabel(QStringLiteral("0")) == QStringLiteral("0"));
  CHECK(roundLabel(QStringLiteral("100")) == QStringLiteral("100"));
  CHECK(roundLabel(QStringLiteral("0.5")) == QStringLiteral("0.5"));
}

TEST_CASE("Labels of times are as far apart as they say, and each is another") {
  TimeTicker ticker;
  ticker.setDateTimeFormat(QStringLiteral("HH:mm:ss"));
  for (int count = 2; count <= 7; ++count) {
    ticker.setTickCount(count);
    for (double span = 1; span < 120; span *= 1.07) {
      CAPTURE(count, span);
      const double from = 1'700'000'000.3;
      QVector<double> ticks;
      QVector<QString> labels;
      ticker.generate(QCPRange(from, from + span), QLocale::c(), u'e', 6, ticks, nullptr, &labels);
      for (const double tick : ticks) CHECK(tick == std::round(tick));
      for (int i = 1; i < labels.size(); ++i) CHECK(labels[i] != labels[i - 1]);
    }
  }
}
