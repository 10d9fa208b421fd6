#include "app/tray/shell/status_line.h"

#include <catch2/catch_test_macros.hpp>

using namespace faultline;

TEST_CASE("The state names the zeroing that the system tells: by process, or by threads") {
  Hello hello;
  hello.quality(ProcessMetric::MinorFaults) = exact("so");
  hello.quality(ProcessMetric::ZeroedBytes) = estimated("so");
  hello.quality(ProcessMetric::FaultTime) = unavailable("why");
  hello.quality(SystemMetric::ZeroThreadTime) = unavailable("why");
  CHECK(qualitySentence(hello) == QStringLiteral("faults exact, zeroing estimated, fault time unavailable"));
  hello.quality(ProcessMetric::ZeroedBytes) = unavailable("why");
  CHECK(qualitySentence(hello) == QStringLiteral("faults exact, zeroing unavailable, fault time unavailable"));
  hello.quality(SystemMetric::ZeroThreadTime) = estimated("so");
  CHECK(qualitySentence(hello) == QStringLiteral("faults exact, zeroing threads estimated, fault time unavailable"));
}
