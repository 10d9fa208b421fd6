#include "app/cli/text/progress.h"

#include <catch2/catch_test_macros.hpp>

#include "app/cli/text/width.h"

using namespace faultline;
using namespace std::chrono_literals;

TEST_CASE("Progress shows a bar, a percentage, bytes and the time left") {
  const std::uint64_t total = std::uint64_t{200} << 20U;
  CHECK(progressText(0, total, 1s, 60) == "                                        0 %  0 B of 200 MiB");
  CHECK(progressText(total / 4, total, 3s, 60) == "━━━━━╸                  25 %  50.0 MiB of 200 MiB, 9 s left");
  CHECK(progressText(total, total, 12s, 60) == "━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 100 %  200 MiB of 200 MiB");
  CHECK(progressText(total * 2, total, 12s, 60) ==
        "━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 100 %  400 MiB of 200 MiB");  // the file has grown
}

TEST_CASE("Progress without a total shows the bytes read") {
  CHECK(progressText(1 << 20U, std::nullopt, 1s, 80) == "1.00 MiB read");
  CHECK(progressText(1 << 20U, 0, 1s, 80) == "1.00 MiB read");
}

TEST_CASE("In a narrow terminal progress drops its bar, then cuts its text") {
  const std::uint64_t total = std::uint64_t{200} << 20U;
  CHECK(progressText(total / 2, total, 1s, 45) == "━━━━      50 %  100 MiB of 200 MiB, 1 s left");
  for (int columns = 1; columns < 120; ++columns)
    CHECK(textWidth(progressText(total / 2, total, 1s, columns)) <= columns);
}
