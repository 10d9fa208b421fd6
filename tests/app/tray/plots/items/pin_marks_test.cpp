#include "app/tray/plots/items/pin_marks.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

namespace faultline {
namespace {

using namespace std::chrono_literals;

std::vector<Bucket> line(std::chrono::seconds from, std::chrono::seconds to, float value) {
  std::vector<Bucket> buckets;
  for (auto t = from; t < to; t += 1s) buckets.push_back({{t}, {t}, 1, value, value, false});
  return buckets;
}

std::vector<MonotonicTime> timesOf(const std::vector<Bucket>& buckets, std::size_t shape) {
  std::vector<MonotonicTime> times;
  for (const Bucket* b : markedBuckets(buckets, shape, 60s, 1)) times.push_back(b->start);
  return times;
}

}  // namespace

TEST_CASE("A pinned line has its shape a few times, at fixed places while data arrives") {
  for (std::size_t shape = 0; shape < 8; ++shape) {
    const auto before = timesOf(line(1000s, 1060s, 5), shape);
    CHECK(before.size() >= 2);
    CHECK(before.size() <= 4);
    const auto after = timesOf(line(1001s, 1061s, 5), shape);
    for (const MonotonicTime time : before)
      if (time.sinceEpoch > 1001s) CHECK(std::ranges::count(after, time) == 1);
  }
}

TEST_CASE("Lines at the same height have their shapes at different places") {
  const auto all = line(1000s, 1060s, 5);
  for (std::size_t a = 0; a < 8; ++a)
    for (std::size_t b = a + 1; b < 8; ++b)
      for (const MonotonicTime time : timesOf(all, a)) CHECK(std::ranges::count(timesOf(all, b), time) == 0);
}

TEST_CASE("A short life has its shape at its peak, and a line on the axis has none") {
  auto brief = line(1001s, 1003s, 5);
  brief[1].max = 9;
  for (std::size_t shape = 0; shape < 8; ++shape) CHECK(markedBuckets(brief, shape, 600s, 1).size() == 1);
  CHECK(markedBuckets(line(1000s, 1060s, 0), 0, 60s, 1).empty());
  CHECK(markedBuckets({}, 0, 60s, 1).empty());
}

TEST_CASE("Eight pins look different without any colour") {
  std::vector<QImage> pictures;
  for (std::size_t shape = 0; shape < 8; ++shape) {
    QImage picture(16, 16, QImage::Format_RGB32);
    picture.fill(Qt::white);
    QCPPainter painter(&picture);
    paintPinShape(painter, {8, 8}, shape, Qt::black, Qt::white);
    painter.end();
    CHECK(std::ranges::count(pictures, picture) == 0);
    pictures.push_back(picture);
  }
}

}  // namespace faultline
