// What each plot shows: which series in what look, and the words for what is not there.
#pragma once

#include <QString>
#include <optional>
#include <vector>

#include "app/tray/processes/pins.h"
#include "app/tray/widgets/theme.h"
#include "core/history/history.h"
#include "core/model/hello.h"

namespace faultline {

enum class Panel : std::size_t { Faults, Time, Zeroing, Commit };
inline constexpr std::size_t kPanelCount = 4;

struct LineKind {
  QString name;
  ProcessMetric series = ProcessMetric::MinorFaults;
  QColor colour;
  Qt::PenStyle style = Qt::SolidLine;
  bool filled = false;
  bool rightAxis = false;  // on a scale of its own
  bool estimated = false;
  std::optional<std::size_t> pin = {};  // drawn bold, and with the shape of the pin of this number
};

struct Line {
  LineKind kind;
  std::vector<Bucket> buckets;
  std::vector<Bucket> times;  // its cost in ns per second, for the label alone; estimated
};

// The whole machine's lines, or those of the one process that is followed; what nobody measures is left out.
[[nodiscard]] std::vector<LineKind> wholeLines(Panel panel, bool followed, const Theme& theme, const Hello& hello);
// What a pinned process shows beside them.
[[nodiscard]] ProcessMetric processSeries(Panel panel);

// Why there is nothing to show and what would change that; empty where there is something.
[[nodiscard]] QString whyEmpty(Panel panel, const Hello& hello);
// What the plot means, line by line, and how good its numbers are.
[[nodiscard]] QString panelWords(Panel panel, const Hello& hello);
// Why there is a gap at the instant under the pointer.
[[nodiscard]] QString gapWords(Panel panel);

// In the order of the pins. Those that share a name have their pid, too.
[[nodiscard]] std::vector<QString> pinNames(const Pins& pins, const History& history);

}  // namespace faultline
