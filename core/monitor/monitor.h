// Monitor: the program without a window. Takes Hello and snapshots; offers the present moment, history and spikes.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/calibration/calibration.h"
#include "core/calibration/check.h"
#include "core/history/history.h"
#include "core/history/rates.h"
#include "core/model/hello.h"
#include "core/model/snapshot.h"
#include "core/monitor/family_costs.h"
#include "core/monitor/own_processes.h"
#include "core/monitor/shown_moment.h"
#include "core/spikes/detector.h"

namespace faultline {

struct MonitorOptions {
  HistoryOptions history;
  SpikeOptions spikes;
  std::size_t keptSpikes = 1000;  // of more, the lightest of the older ones are dropped
  bool findsSpikes = true;        // false where snapshots are skipped: averages say nothing about bursts
};

class Monitor {
 public:
  explicit Monitor(MonitorOptions options = {});

  // A Hello of another collector starts a new stream, so the next snapshot has no rates. The past is kept unless the
  // next snapshot cannot continue it: another machine, a time not after the last one, or another time of boot (wall
  // clock minus time since boot, with a minute's tolerance for clock adjustments). Otherwise everything is cleared.
  void ingest(const Hello& hello);
  void ingest(const Snapshot& snapshot);  // rates -> history -> spikes
  // Where snapshots are skipped: the time between those that come from now on, 0 if it varies. Absent: Hello's.
  void expectStep(std::optional<Nanoseconds> step);
  void setSpikeOptions(const SpikeOptions& options);
  // Those of the whole recording, for a monitor that finds none itself; others ignore them.
  void tellSpikes(const std::vector<Spike>& spikes);
  [[nodiscard]] bool spikesKnown() const { return m_options.findsSpikes || m_spikesTold; }
  // Where fault time is not measured, it is estimated from now on by these prices. `changes`: why they do not hold any
  // more; empty: they hold. Measured time is preferred, and compared with them.
  void setCalibration(const Calibration& calibration, std::vector<std::string> changes);
  void clear();
  // Of history(), until clear().
  void layCloseUp(std::unique_ptr<History::CloseUp> closeUp) { m_history.lay(std::move(closeUp)); }
  [[nodiscard]] std::unique_ptr<History::CloseUp> takeCloseUp() { return m_history.takeCloseUp(); }
  [[nodiscard]] History takeHistory() && { return std::move(m_history); }

  // As the collector sent it, but that estimates from a calibration have their quality.
  [[nodiscard]] const Hello& hello() const { return m_hello; }
  // The snapshot with the estimates that hello() tells of: a recording keeps them, as another machine has other prices.
  [[nodiscard]] Snapshot estimated(const Snapshot& snapshot) const;
  [[nodiscard]] const Calibration* calibration() const { return m_calibration ? &m_calibration->calibration : nullptr; }
  // Why the calibration may be wrong, in sentences: it is old, or measured time contradicts it.
  [[nodiscard]] std::vector<std::string> calibrationRemarks() const;
  // When a process started, by the clock of the newest snapshot, which counts suspends; absent before the first one.
  [[nodiscard]] std::optional<WallTime> startOf(const ProcessKey& key) const;
  [[nodiscard]] const Moment& now() const { return m_now; }  // Gap::First and no rows before the first snapshot
  // The same over the usual interval at least: what a person reads while snapshots come faster.
  [[nodiscard]] const Moment& shown() const { return m_shown.of(m_now); }
  [[nodiscard]] const History& history() const { return m_history; }
  [[nodiscard]] const std::deque<Spike>& spikes() const { return m_spikes; }         // oldest first
  [[nodiscard]] const std::vector<Spike>& spikesNow() const { return m_spikesNow; }  // began, grew or ended with now()
  // Since monitoring began: highest rate of minor faults; cost of the process and of all that it started.
  [[nodiscard]] double peak(const ProcessKey& key) const { return m_costs.peak(key); }
  [[nodiscard]] std::optional<FamilyCost> cost(const ProcessKey& key) const { return m_costs.of(key); }
  [[nodiscard]] ProcessDeltas endedOf(const std::string& service) const { return m_costs.endedOf(service); }
  [[nodiscard]] std::optional<ProcessKey> parent(const ProcessKey& key) const { return m_costs.parent(key); }
  [[nodiscard]] bool isOwn(const ProcessKey& key) const { return m_own.has(key); }  // Faultline's
  // Of one core, over the last second, or the last interval if that is longer.
  [[nodiscard]] std::optional<double> collectorCpuShare() const;
  [[nodiscard]] std::uint64_t snapshots() const { return m_snapshots; }

 private:
  [[nodiscard]] bool continues(const Snapshot& snapshot) const;
  void remember(const Snapshot& snapshot);
  void updateSpikes();
  void noteCollectorCpu();
  [[nodiscard]] std::string parentName(const Spike& spike) const;
  void estimate();
  [[nodiscard]] SpikeOptions spikeOptions() const;

  struct Calibrated {
    Calibration calibration;
    std::vector<std::string> changes;
    CalibrationCheck check;
  };

  MonitorOptions m_options;
  Hello m_sent;
  Hello m_hello;
  std::optional<Calibrated> m_calibration;
  std::optional<double> m_nsPerFault;  // fault time is estimated
  std::optional<Nanoseconds> m_step;
  Snapshot m_previous;  // without `exited`, and with names of some time
  bool m_hasPrevious = false;
  Moment m_now;
  ShownMoment m_shown;
  OwnProcesses m_own;
  History m_history;
  FamilyCosts m_costs;
  SpikeDetector m_detector;
  std::deque<Spike> m_spikes;
  bool m_spikesTold = false;
  std::vector<Spike> m_spikesNow;
  std::deque<std::pair<MonotonicTime, std::uint64_t>> m_collectorCpu;  // of the last second
  std::uint64_t m_snapshots = 0;
};

}  // namespace faultline
