#include "app/tray/shell/status_line.h"

#include <algorithm>
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

TEST_CASE("A message that comes before the window takes the place of the state, and gives it back") {
  StatusLine line;
  const auto shown = [&] {
    const auto labels = line.findChildren<LineLabel*>();
    return std::ranges::any_of(labels, &QWidget::isVisible);
  };
  line.say(QStringLiteral("The hour before is in the menu File."));
  line.show();
  CHECK_FALSE(shown());
  line.clearMessage();
  CHECK(shown());
  line.say(QStringLiteral("Saved."));
  CHECK_FALSE(shown());
  line.clearMessage();
  CHECK(shown());
}
