#include "core/watch/collector_end.h"

#include <catch2/catch_test_macros.hpp>

using namespace faultline;
using namespace std::chrono_literals;

TEST_CASE("The end of a collector is told with its last line, without the collector's name") {
  CHECK(collectorEnd(endedWith(3), "first\nfaultline-collector: It is not yours.\n") ==
        CollectorEnd{"It is not yours.", "The collector ended with code 3. The collector said: “It is not yours.”"});
  CHECK(collectorEnd("was killed", "") == CollectorEnd{"", "The collector was killed."});
}

TEST_CASE("A killed collector is told with the likely reason, or with none") {
  const auto told = [](const CollectorKill& kill) {
    return collectorEnd("was killed", "", kill, "It", "Try again.").sentence;
  };
  CHECK(told({.signal = 11}) == "It was killed. Try again.");
  CHECK(told({.signal = 9, .silent = 9s}) == "It was killed. Try again.");
  CHECK(told({.signal = 9, .memoryWent = true, .silent = 20s})
            .starts_with("It was killed. The system has ended processes for want "));
  CHECK(told({.signal = 9, .silent = 12s}).starts_with("It was killed. It had sent nothing for 12.0 s: "));
  CHECK(told({.signal = 15}) == "It was killed. It was asked to end before it had begun to measure.");
  CHECK(told({.signal = 31}).starts_with("It was killed. Its own filter of system calls "));
}

TEST_CASE("The code of a crash on Windows is told in hexadecimal") {
  CHECK(endedWith(static_cast<int>(0xC0000005U)) == "ended with code 0xC0000005");
}
