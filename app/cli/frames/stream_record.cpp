#include "app/cli/frames/stream_record.h"

#include <fmt/format.h>

#include <system_error>

#include "app/cli/stream/writable.h"
#include "app/cli/text/say.h"
#include "core/base/file_name.h"
#include "core/text/quantity.h"

namespace faultline {

Result<void> StreamRecord::take(const StreamEvent& event) {
  if (m_file.empty()) return {};
  if (const auto* hello = std::get_if<Hello>(&event)) {
    m_hello = *hello;
    return m_writer ? m_writer->add(m_hello) : begin();
  }
  if (!m_writer) return {};
  if (const auto* batch = std::get_if<const GameFrameBatch*>(&event)) return add(**batch);
  if (std::holds_alternative<StreamEnd>(event)) return m_writer->finish();
  return {};
}

Result<void> StreamRecord::begin() {
  const std::filesystem::path file = pathFromUtf8(m_file);
  const auto unblocked = signalsWhileOpening(file);
  auto writer = createRecording(file, m_hello, m_existing);
  if (!writer) return tl::unexpected(writer.error());
  m_writer = std::move(*writer);
  std::error_code ignored;
  if (m_ring > Nanoseconds(0)) std::filesystem::remove(beforeOf(file), ignored);  // of an earlier ring, by --force
  return {};
}

Result<void> StreamRecord::add(const GameFrameBatch& batch) {
  if (m_ring > Nanoseconds(0) && !batch.frames.empty()) {
    const MonotonicTime start = batch.frames.front().start;
    if (!m_turned) m_turned = start;
    if (start - *m_turned >= m_ring) {
      if (auto turned = turn(); !turned) return turned;
      m_turned = start;
    }
  }
  return m_writer->add(batch);
}

// The new file is a stream of its own, with all texts and call stacks that its samples name.
Result<void> StreamRecord::turn() {
  if (auto finished = m_writer->finish(); !finished) return finished;
  m_earlier.bytes += m_writer->bytes();
  m_earlier.frames += m_writer->gameFrames();
  m_writer.reset();  // Windows renames no open file
  auto writer = turnRing(pathFromUtf8(m_file), m_hello);
  if (!writer) return tl::unexpected(writer.error());
  m_writer = std::move(*writer);
  return {};
}

void StreamRecord::copyRing() const {
  if (m_writer) copyRingBeside(pathFromUtf8(m_file));
  else say("Nothing is recorded yet.");
}

Result<void> StreamRecord::add(const FaultSampleBatch& samples) {
  return m_writer ? m_writer->add(samples) : Result<void>();
}

std::string StreamRecord::summary() const {
  if (!m_writer) return {};
  return fmt::format("Recorded {} frames to {}, {}.", formatCount(m_earlier.frames + m_writer->gameFrames()), m_file,
                     formatBytes(m_earlier.bytes + m_writer->bytes()));
}

}  // namespace faultline
