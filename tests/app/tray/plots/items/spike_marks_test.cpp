#include "app/tray/plots/items/spike_marks.h"

#include <catch2/catch_test_macros.hpp>

namespace faultline {

// Above the plot stands its legend, below it that of the next.
TEST_CASE("A name beside a high peak stays within a plot of any height") {
  const QSizeF size(40, 17);
  for (const int height : {24, 42, 300}) {
    const QRectF plot(100, 50, 500, height);
    for (int y = 50; y <= 50 + height; ++y) {
      const auto box = placeOfName({300.0, static_cast<double>(y)}, size, plot, {});
      REQUIRE(box);
      CHECK(box->top() >= plot.top());
      CHECK(box->bottom() <= plot.bottom());
      CHECK(box->left() > 300);
    }
  }
}

TEST_CASE("A name goes to the other side at the plot's end, and nowhere where all is taken") {
  const QSizeF size(40, 17);
  const QRectF plot(100, 50, 500, 200);
  const auto atEnd = placeOfName({595, 100}, size, plot, {});
  REQUIRE(atEnd);
  CHECK(atEnd->right() < 595);
  CHECK_FALSE(placeOfName({300, 100}, size, plot, {plot}));
  const auto beside = placeOfName({300, 100}, size, plot, {QRectF(311 + size.width(), 0, 50, 400)});
  REQUIRE(beside);
  CHECK(beside->right() < 300);  // two names do not touch
}

}  // namespace faultline
