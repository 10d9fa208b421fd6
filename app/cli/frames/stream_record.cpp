#include "app/cli/frames/stream_record.h"

#include <fmt/format.h>

#include "app/cli/stream/writable.h"
#include "core/base/file_name.h"
#include "core/text/quantity.h"

namespace faultline {

Result<void> StreamRecord::take(const StreamEvent& event) {
  if (m_file.empty()) return {};
  if (const auto* hello = std::get_if<Hello>(&event)) {
    if (m_writer) return m_writer->add(*hello);
    const auto unblocked = signalsWhileOpening(pathFromUtf8(m_file));
    auto writer = createRecording(pathFromUtf8(m_file), *hello, m_existing);
    if (!writer) return tl::unexpected(writer.error());
    m_writer = std::move(*writer);
  }
  if (!m_writer) return {};
  if (const auto* batch = std::get_if<const GameFrameBatch*>(&event)) return m_writer->add(**batch);
  if (std::holds_alternative<StreamEnd>(event)) return m_writer->finish();
  return {};
}

Result<void> StreamRecord::add(const FaultSampleBatch& samples) {
  return m_writer ? m_writer->add(samples) : Result<void>();
}

std::string StreamRecord::summary() const {
  if (!m_writer) return {};
  return fmt::format("Recorded {} frames to {}, {}.", formatCount(m_writer->gameFrames()), m_file,
                     formatBytes(m_writer->bytes()));
}

}  // namespace faultline
