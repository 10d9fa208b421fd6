// Recorder: what the collector sends into a recording, and the figures of what was recorded.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/cli/stream/live_stream.h"
#include "core/monitor/monitor.h"
#include "core/recording/writer.h"
#include "platform/host/standard_output.h"

namespace faultline {

class Recorder {
 public:
  // "-" is standard output.
  Recorder(LiveStream stream, std::filesystem::path file);

  [[nodiscard]] WaitHandle ready() const { return m_stream.ready(); }
  // Takes what has come. Error: it could not be written (readerGone() tells why), or the collector failed.
  [[nodiscard]] Result<void> receive();
  // Creates the file, over what was there, with what has come; until then all is kept in memory.
  [[nodiscard]] Result<void> begin();
  // Asks the collector to end, takes the rest, and closes the file with the mark of a stream that ended on purpose.
  [[nodiscard]] Result<void> finish();

  [[nodiscard]] bool readerGone() const { return m_writer && m_writer->readerGone(); }
  [[nodiscard]] std::uint64_t bytes() const { return m_writer ? m_writer->bytes() : 0; }  // recorded
  [[nodiscard]] const Monitor& monitor() const { return m_monitor; }
  [[nodiscard]] std::uint64_t leftOut() const { return m_leftOut; }  // processes, at most, of a snapshot
  // What the process that has had this pid since recording began, and all it started, have cost; absent if no sweep saw
  // it.
  [[nodiscard]] std::optional<std::string> costOf(std::uint32_t pid) const;
  [[nodiscard]] std::vector<std::string> complaints() { return m_stream.complaints(); }
  // "Recorded 60.0 s in 121 snapshots: 213 processes, 1.21 MiB." and what is worth knowing beside it, line by line.
  [[nodiscard]] std::vector<std::string> summary() const;

 private:
  [[nodiscard]] Result<void> drain();
  [[nodiscard]] Result<void> take(const Hello& hello);
  [[nodiscard]] Result<void> take(const Snapshot& snapshot);

  LiveStream m_stream;
  std::filesystem::path m_file;
  std::unique_ptr<StandardOutputBuffer> m_standardOutput = std::make_unique<StandardOutputBuffer>();
  std::optional<RecordingWriter> m_writer;
  std::vector<Snapshot> m_held;  // that came before begin()
  Monitor m_monitor;
  std::set<ProcessKey> m_processes;
  std::map<std::uint32_t, ProcessKey> m_latest;  // who had a pid last
  std::optional<MonotonicTime> m_start;
  std::uint64_t m_leftOut = 0;
  std::uint64_t m_faults = 0;      // of the whole machine, where nobody tells of exits
  std::uint64_t m_seenFaults = 0;  // of those, in processes that were seen
  bool m_ended = false;            // the collector ended the stream itself
};

}  // namespace faultline
