#include "app/tray/spikes/notifier.h"

#include <catch2/catch_test_macros.hpp>

using namespace faultline;
using namespace std::chrono_literals;

namespace {

Spike burst(std::uint64_t id, const char* name) {
  Spike spike;
  spike.id = id;
  spike.name = name;
  spike.start = MonotonicTime{10s};
  spike.end = MonotonicTime{12s};
  spike.faults = 8192;
  spike.peakPerSecond = 16'000;
  spike.usualPerSecond = 100;
  spike.open = false;
  return spike;
}

}  // namespace

TEST_CASE("A notification names the process and the amount") {
  const auto told = Notifier().spikeEnded(burst(7, "game"), MonotonicTime{12s});
  REQUIRE(told);
  CHECK(told->spike == 7);
  CHECK(told->title == QStringLiteral("game"));
  CHECK(told->text.contains(QStringLiteral("8\u202f192 minor faults")));
}

TEST_CASE("A name with a line break stays on the title's one line") {
  const auto told = Notifier().spikeEnded(burst(1, "a\nb"), MonotonicTime{12s});
  REQUIRE(told);
  CHECK_FALSE(told->title.contains(QLatin1Char('\n')));
}

TEST_CASE("Notifications come at most once per minute, and the next one counts the omitted spikes") {
  Notifier notifier;
  const MonotonicTime first{100s};
  REQUIRE(notifier.spikeEnded(burst(1, "a"), first));
  CHECK_FALSE(notifier.spikeEnded(burst(2, "b"), first + 1s));
  CHECK_FALSE(notifier.spikeEnded(burst(3, "c"), first + 60s - 1ns));
  const auto next = notifier.spikeEnded(burst(4, "d"), first + 60s);
  REQUIRE(next);
  CHECK(next->text.contains(QStringLiteral("2 more")));
  CHECK_FALSE(notifier.spikeEnded(burst(5, "e"), first + 61s));
  const auto last = notifier.spikeEnded(burst(6, "f"), first + 200s);
  REQUIRE(last);
  CHECK(last->text.contains(QStringLiteral("1 more")));
}
