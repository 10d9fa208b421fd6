#include "app/tray/plots/items/labels.h"

#include <catch2/catch_test_macros.hpp>

using namespace faultline;

TEST_CASE("Labels of round ticks lose needless digits") {
  CHECK(roundLabel(QStringLiteral("80.0 k")) == QStringLiteral("80 k"));
  CHECK(roundLabel(QStringLiteral("2.50 GiB")) == QStringLiteral("2.5 GiB"));
  CHECK(roundLabel(QStringLiteral("1.00 MiB")) == QStringLiteral("1 MiB"));
  CHECK(roundLabel(QStringLiteral("0")) == QStringLiteral("0"));
  CHECK(roundLabel(QStringLiteral("100")) == QStringLiteral("100"));
  CHECK(roundLabel(QStringLiteral("0.5")) == QStringLiteral("0.5"));
}
