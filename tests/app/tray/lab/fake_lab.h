// A replacement for faultline-cli: fake_program with the progress and the result that a test needs.
#pragma once

#include "core/lab/view/text.h"
#include "tests/app/tray/fake_collector.h"

namespace faultline {

inline LabRow labRow(std::string way, std::string phase, std::uint64_t faults, Nanoseconds time) {
  LabRow row{.way = std::move(way), .phase = std::move(phase), .pages = "4 KiB", .amount = 10, .unit = "page"};
  row.samples = {{.wall = time, .processor = time, .faults = faults, .switches = 0},
                 {.wall = time, .processor = time * 2, .faults = faults, .switches = 0}};
  return row;
}

// Of the figures of the post; all claims hold.
inline LabReport labReport(int times = 1) {
  using namespace std::chrono_literals;
  LabReport report{.experiment = "eager", .title = "t", .machine = "machine " + std::to_string(times), .quick = true};
  report.ownFaults = 40;
  report.seenFaults = 40;
  report.rows = {labRow("lazy", "prepare", 0, 1us * times), labRow("lazy", "hot", 9785, 4556us * times),
                 labRow("sentinel", "prepare", 9783, 4ms * times), labRow("sentinel", "hot", 2, 189us * times)};
  report.remarks = {"A remark."};
  return report;
}

inline QByteArray labDocument(const LabReport& report) {
  return QByteArray::fromStdString(labJson({&report, 1}));
}

// The script may use the file "result". Gives the program's name.
inline QString fakeLab(const TestFolder& folder, const QByteArray& script) {
  return folder.program("lab", script);
}

}  // namespace faultline
