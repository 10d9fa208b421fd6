#include "app/tray/plots/items/bucket_at.h"

#include <catch2/catch_test_macros.hpp>

using namespace faultline;
using namespace std::chrono_literals;

namespace {

Bucket bucket(Nanoseconds start, Nanoseconds end, float mean, float max) {
  return {{start}, {end}, 0, mean, max, false};
}

}  // namespace

TEST_CASE("The readout shows the bucket under the pointer, or the newest bucket") {
  const std::vector<Bucket> buckets{bucket(1s, 1s, 5, 5), bucket(2s, 4s, 7, 9), bucket(5s, 5s, 1, 1)};
  CHECK(bucketAt(buckets, std::nullopt)->mean == 1);
  CHECK(bucketAt(buckets, MonotonicTime{3s})->max == 9);
  CHECK(bucketAt(buckets, MonotonicTime{1s})->mean == 5);
  CHECK(bucketAt(buckets, MonotonicTime{6s}) == nullptr);
  CHECK(bucketAt({}, std::nullopt) == nullptr);
}

TEST_CASE("A gap has no readout") {
  std::vector<Bucket> buckets{bucket(1s, 1s, 5, 5), bucket(9s, 9s, 7, 7), bucket(10s, 10s, 8, 8)};
  CHECK(bucketAt(buckets, MonotonicTime{4s})->mean == 7);
  buckets[1].gapBefore = true;
  CHECK(bucketAt(buckets, MonotonicTime{4s}) == nullptr);
  CHECK(bucketAt(buckets, MonotonicTime{9s})->mean == 7);
  CHECK(bucketAt(buckets, MonotonicTime{9500ms})->mean == 8);
}
