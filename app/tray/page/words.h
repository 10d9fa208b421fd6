// The words of the page about a process: its cost in the last minute, the parts of that, each number's quality.
#pragma once

#include <QString>
#include <QStringList>
#include <optional>
#include <span>
#include <vector>

#include "app/tray/ledger/parts_bar.h"
#include "core/monitor/monitor.h"

namespace faultline {

// The time that memory took a process in the minute before an instant, in ns per second of its life in that minute.
struct MinuteCost {
  std::optional<double> faults{};
  std::optional<double> onProcessor{};  // of faults, as the two below
  std::optional<double> waiting{};
  std::optional<double> blocked{};
  std::optional<double> teardown{};
  std::optional<double> minor{};  // faults per second
  Nanoseconds known{};            // of its life in that minute
};
[[nodiscard]] MinuteCost minuteCost(const History& history, const ProcessKey& key, MonotonicTime until);

struct Headline {
  QString value;  // "≈ 0.42 %"
  // "of a core in the last minute, by page faults and giving memory back: 70.1 µs in each 16.7 ms"; of a shorter life
  // "in 14.0 s of the last minute"
  QString words;
};
// The rate of faults where no time is measured.
[[nodiscard]] Headline headlineOf(const MinuteCost& cost, const Hello& hello, Nanoseconds frame);
[[nodiscard]] std::vector<Part> costParts(const MinuteCost& cost);  // they add up to the headline
// "Minor faults, Major faults: exact, counted by the kernel", with the remedy of what is unavailable.
[[nodiscard]] QStringList qualityLines(const Hello& hello, std::span<const ProcessMetric> metrics);
// "at 12:03:11", on another day with its date. ≈: the start is told in time since boot, which counts suspends.
[[nodiscard]] QString startedText(const ProcessKey& key, const Monitor& monitor);

}  // namespace faultline
