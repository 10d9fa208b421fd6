// Recorder: the collector's bytes into a file as they come, and the figures of what was recorded.
#pragma once

#include <set>
#include <string>

#include "app/cli/live_stream.h"
#include "core/monitor/monitor.h"
#include "platform/desktop/byte_file.h"

namespace faultline {

class Recorder {
 public:
  Recorder(LiveStream stream, ByteWriter file);

  [[nodiscard]] WaitHandle ready() const { return m_stream.ready(); }
  // Takes what has come. Error: it could not be written (file().readerGone() tells why), or the collector failed.
  [[nodiscard]] Result<void> receive();
  // Asks the collector to end, takes the rest, and closes the file with the mark of a stream that ended on purpose.
  [[nodiscard]] Result<void> finish();

  [[nodiscard]] const ByteWriter& file() const { return m_file; }
  [[nodiscard]] const Monitor& monitor() const { return m_monitor; }
  [[nodiscard]] bool saw(std::uint32_t pid) const { return m_pids.contains(pid); }
  [[nodiscard]] std::vector<std::string> complaints() { return m_stream.complaints(); }
  // "Recorded 60.0 s in 121 snapshots: 213 processes, 1.21 MiB." and what is worth knowing beside it, line by line.
  [[nodiscard]] std::vector<std::string> summary() const;

 private:
  [[nodiscard]] Result<void> drain();
  void look(const Snapshot& snapshot);

  LiveStream m_stream;
  ByteWriter m_file;
  Monitor m_monitor;
  std::set<ProcessKey> m_processes;
  std::set<std::uint32_t> m_pids;
  std::optional<MonotonicTime> m_start;
  std::uint64_t m_bytes = 0;
  bool m_ended = false;  // the collector ended the stream itself
};

}  // namespace faultline
