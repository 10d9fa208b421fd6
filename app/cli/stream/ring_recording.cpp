#include "app/cli/stream/ring_recording.h"

#include <system_error>

#include "platform/host/recorded_file.h"

namespace faultline {

void RingRecording::begin(RecordingWriter writer, std::optional<MonotonicTime> since) {
  m_writer = std::move(writer);
  m_turned = since;
  std::error_code ignored;
  if (m_ring > Nanoseconds(0)) std::filesystem::remove(beforeOf(m_file), ignored);
}

Result<void> RingRecording::advance(MonotonicTime time, const Hello& hello, const std::deque<Spike>* spikes) {
  if (!m_writer || m_ring == Nanoseconds(0)) return {};
  if (!m_turned) m_turned = time;
  if (time - *m_turned < m_ring) return {};
  if (auto finished = m_writer->finish(spikes); !finished) return finished;
  m_earlier = {bytes(), snapshots(), frames()};
  m_writer.reset();  // Windows renames no open file
  auto writer = turnRing(m_file, hello);
  if (!writer) return tl::unexpected(std::move(writer.error()));
  m_writer = std::move(*writer);
  m_turned = time;
  return {};
}

}  // namespace faultline
