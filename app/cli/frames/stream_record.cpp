#include "app/cli/frames/stream_record.h"

#include <fmt/format.h>

#include <utility>

#include "app/cli/stream/writable.h"
#include "app/cli/text/say.h"
#include "core/base/file_name.h"
#include "core/text/quantity.h"

namespace faultline {

StreamRecord::StreamRecord(const std::string& file, Existing existing, Nanoseconds ring)
    : m_recording(pathFromUtf8(file), ring), m_existing(existing) {}

Result<void> StreamRecord::take(const StreamEvent& event) {
  if (!wanted()) return {};
  auto& writer = m_recording.writer();
  if (const auto* hello = std::get_if<Hello>(&event)) {
    m_hello = *hello;
    if (writer) return writer->add(m_hello);
    const auto unblocked = signalsWhileOpening(m_recording.file());
    auto begun = createRecording(m_recording.file(), m_hello, m_existing);
    if (!begun) return tl::unexpected(begun.error());
    m_recording.begin(std::move(*begun));
    return {};
  }
  if (!writer) return {};
  if (const auto* batch = std::get_if<const GameFrameBatch*>(&event)) return add(**batch);
  if (std::holds_alternative<StreamEnd>(event)) return writer->finish();
  return {};
}

Result<void> StreamRecord::add(const GameFrameBatch& batch) {
  if (!batch.frames.empty())
    if (auto advanced = m_recording.advance(batch.frames.front().start, m_hello); !advanced) return advanced;
  return m_recording.writer()->add(batch);
}

Result<void> StreamRecord::add(const FaultSampleBatch& samples) {
  auto& writer = m_recording.writer();
  return writer ? writer->add(samples) : Result<void>();
}

void StreamRecord::copyRing() const {
  if (m_recording.writer()) copyRingBeside(m_recording.file());
  else say("Nothing is recorded yet.");
}

std::string StreamRecord::summary() const {
  if (!m_recording.writer()) return {};
  return fmt::format("Recorded {} frames to {}, {}.", formatCount(m_recording.frames()), nameInUtf8(m_recording.file()),
                     formatBytes(m_recording.bytes()));
}

}  // namespace faultline
