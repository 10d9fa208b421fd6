// OpenedRecording: a recording that is being read, and what is shown of it meanwhile. From the second pass on, a
// Monitor is filled behind the one on show, and takes its place when the pass is over.
#pragma once

#include <QString>
#include <optional>

#include "app/tray/replay/replay_source.h"
#include "core/monitor/monitor.h"

namespace faultline {

struct OpenedRecording {
  ReplaySource source;
  Hello hello;
  std::optional<Monitor> filling;       // absent in the first pass
  std::optional<Nanoseconds> step;      // of this pass, if it skips snapshots
  std::optional<Nanoseconds> averages;  // Session::averages(), of what is on show

  [[nodiscard]] Monitor& filled(Monitor& shown) { return filling ? *filling : shown; }
  void ingest(Monitor& shown, const Snapshot& snapshot, std::optional<Nanoseconds> skipped);
  void showFilled(Monitor& shown);  // nothing is filled afterwards
  [[nodiscard]] QString readingText(const QString& name) const;
  // What is wrong with what is shown when reading has ended; empty: nothing.
  [[nodiscard]] QString remark() const;
};

}  // namespace faultline
