// Recorder: writes the collector's stream to a recording and sums up the recording.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/cli/stream/collector.h"
#include "app/cli/stream/ring_recording.h"
#include "core/monitor/monitor.h"
#include "platform/host/recorded_file.h"
#include "platform/host/standard_output.h"

namespace faultline {

class Recorder {
 public:
  // "-" is standard output. Where fault time is not measured, the calibration of this machine, if it has one, estimates
  // it, in the recording too. `ring`: as RingRecording has it.
  Recorder(CollectorStream stream, std::filesystem::path file, Existing existing, const CommonOptions& common,
           Nanoseconds ring = Nanoseconds(0));

  [[nodiscard]] WaitHandle ready() const { return m_stream.ready(); }
  // Takes the data received so far. Error: writing failed (check readerGone()), or the collector failed.
  [[nodiscard]] Result<void> receive();
  // Creates the file and writes the snapshots received before, which were kept in memory.
  [[nodiscard]] Result<void> begin();
  // Asks the collector to end, takes the remaining data, and closes the file with StreamEnd.
  [[nodiscard]] Result<void> finish(const Interrupt& interrupt);

  [[nodiscard]] Nanoseconds patience() const { return m_stream.patience(); }
  [[nodiscard]] Error sentNothing() const { return m_stream.sentNothing(); }
  [[nodiscard]] bool readerGone() const { return m_recording.writer() && m_recording.writer()->readerGone(); }
  [[nodiscard]] std::uint64_t bytes() const { return m_recording.bytes(); }  // recorded
  [[nodiscard]] const Monitor& monitor() const { return m_monitor; }
  [[nodiscard]] std::uint64_t leftOut() const { return m_leftOut; }  // most processes missing in one snapshot
  // The cost of the last process with this pid, and of all its descendants, as text; absent if no sweep saw it.
  [[nodiscard]] std::optional<std::string> costOf(std::uint32_t pid) const;
  [[nodiscard]] std::vector<std::string> complaints() { return m_stream.complaints(); }
  // "Recorded 60.0 s in 121 snapshots: 213 processes, 1.21 MiB.", then losses and the heaviest spikes, one per line.
  [[nodiscard]] std::vector<std::string> summary() const;

 private:
  [[nodiscard]] Result<void> drain();
  [[nodiscard]] Result<void> take(const Hello& hello);
  [[nodiscard]] Result<void> take(const Snapshot& snapshot);

  CollectorStream m_stream;
  RingRecording m_recording;
  Existing m_existing;
  CommonOptions m_common;
  std::unique_ptr<StandardOutputBuffer> m_standardOutput = std::make_unique<StandardOutputBuffer>();
  std::vector<Snapshot> m_held;  // received before begin()
  Monitor m_monitor;
  std::set<ProcessKey> m_processes;
  std::map<std::uint32_t, ProcessKey> m_latest;  // the last process with each pid
  std::optional<MonotonicTime> m_start;
  std::uint64_t m_leftOut = 0;
  std::uint64_t m_faults = 0;      // of the whole machine; counted only where the collector does not see exits
  std::uint64_t m_seenFaults = 0;  // the part of m_faults in sampled processes
  bool m_ended = false;            // StreamEnd was received
};

}  // namespace faultline
