#include "app/cli/frames/stream_record.h"

#include "app/cli/stream/writable.h"
#include "core/base/file_name.h"
#include "platform/host/recorded_file.h"

namespace faultline {

Result<void> StreamRecord::take(const StreamEvent& event) {
  if (m_file.empty()) return {};
  if (const auto* hello = std::get_if<Hello>(&event)) {
    if (m_writer) return m_writer->add(*hello);
    const auto unblocked = signalsWhileOpening(pathFromUtf8(m_file));
    auto writer = createRecording(pathFromUtf8(m_file), *hello);
    if (!writer) return tl::unexpected(writer.error());
    m_writer = std::move(*writer);
  }
  if (!m_writer) return {};
  if (const auto* batch = std::get_if<const GameFrameBatch*>(&event)) return m_writer->add(**batch);
  if (const auto* faults = std::get_if<const FaultSampleBatch*>(&event)) return m_writer->add(**faults);
  if (std::holds_alternative<StreamEnd>(event)) return m_writer->finish();
  return {};
}

}  // namespace faultline
