// The series of each plot, with their look, and the texts for missing values.
#pragma once

#include <QString>
#include <optional>
#include <vector>

#include "app/tray/processes/pins.h"
#include "app/tray/widgets/theme.h"
#include "core/history/history.h"
#include "core/model/hello.h"
#include "core/monitor/monitor.h"

namespace faultline {

enum class Panel : std::size_t { Faults, Time, Zeroing, Commit };
inline constexpr std::size_t kPanelCount = 4;

struct LineKind {
  QString name;
  ProcessMetric series = ProcessMetric::MinorFaults;
  QColor colour;
  Qt::PenStyle style = Qt::SolidLine;
  bool filled = false;
  bool rightAxis = false;  // with a scale of its own
  bool estimated = false;
  std::optional<std::size_t> pin = {};       // drawn bold, with the shape of this pin
  std::optional<SystemMetric> machine = {};  // in place of `series`
  float scale = 1;                           // the line's unit, in that of the plot
};

// A second recording, with one line in each plot: its shift, added to a time of it, gives the time of the first.
struct BesideRun {
  const Monitor* monitor = nullptr;
  Nanoseconds shift{0};
  QString name;

  bool operator==(const BesideRun&) const = default;
};

struct Line {
  LineKind kind;
  std::vector<Bucket> buckets;
  std::vector<Bucket> times;               // its cost in ns per second, for the label alone; estimated
  std::optional<ProcessKey> process = {};  // absent: of the whole machine
  bool beside = false;                     // of the second recording, at the times of the first
};

// A line of time, drawn by the cycles per second.
[[nodiscard]] inline bool countsCycles(SystemMetric metric) {
  return metric == SystemMetric::ZeroThreadCycles || metric == SystemMetric::SystemProcessCycles;
}

// Lines of the whole machine, or of the followed process; without those that are not measured.
[[nodiscard]] std::vector<LineKind> wholeLines(Panel panel, bool followed, const Theme& theme, const Hello& hello);
// That of the second recording, beside the first of these lines.
[[nodiscard]] LineKind besideLine(const LineKind& first, const BesideRun& run, const Theme& theme);
// The series of a pinned process.
[[nodiscard]] ProcessMetric processSeries(Panel panel);

// Why the plot is empty, and the remedy; empty if the plot is not.
[[nodiscard]] QString whyEmpty(Panel panel, const Hello& hello);
// False: nothing can ever be measured for the plot on that system.
[[nodiscard]] bool canFill(Panel panel, const Hello& hello);
// The meaning and quality of each line in the plot.
[[nodiscard]] QString panelWords(Panel panel, const Hello& hello);
// Why there is a gap under the pointer.
[[nodiscard]] QString gapWords(Panel panel);

// In the order of the pins. Equal names are followed by the pid.
[[nodiscard]] std::vector<QString> pinNames(const Pins& pins, const History& history);

}  // namespace faultline
