#include "core/recording/writer.h"

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <span>
#include <string>
#include <system_error>

#include "core/stream/wire.h"

namespace faultline {
namespace {

// Standard streams do not report a reason; the supported systems leave it in errno.
std::string reason(int error) {
  return error != 0 ? std::generic_category().message(error) : std::string("the system gave no reason");
}

}  // namespace

Result<RecordingWriter> RecordingWriter::create(const std::filesystem::path& path, const Hello& hello) {
  errno = 0;
  auto file = std::make_unique<std::filebuf>();
  if (file->open(path, std::ios::out | std::ios::binary | std::ios::trunc) == nullptr)
    return fail(path.string() + " cannot be written: " + reason(errno) + ". Choose another place.");
  std::filebuf& bytes = *file;
  return begun(RecordingWriter(path, bytes, std::move(file)), hello);
}

Result<RecordingWriter> RecordingWriter::onto(std::streambuf& bytes, std::filesystem::path name, const Hello& hello) {
  return begun(RecordingWriter(std::move(name), bytes, nullptr), hello);
}

Result<RecordingWriter> RecordingWriter::begun(RecordingWriter writer, const Hello& hello) {
  if (auto written = writer.add(hello); !written && !writer.readerGone()) return tl::unexpected(written.error());
  return writer;
}

RecordingWriter::RecordingWriter(std::filesystem::path path, std::streambuf& bytes, std::unique_ptr<std::filebuf> file)
    : m_path(std::move(path)), m_out(&bytes), m_file(std::move(file)) {}

Result<void> RecordingWriter::add(const Hello& hello) {
  if (!m_state) return m_state;
  m_hello = m_bytes == 0 ? wire::kPreambleSize : m_bytes;
  return write(m_encoder.hello(hello));
}

Result<void> RecordingWriter::add(const Snapshot& snapshot) {
  if (!m_state) return m_state;
  const std::uint64_t offset = m_bytes;
  const std::span<const std::byte> packet = m_encoder.snapshot(snapshot);
  auto written = write(packet);
  if (!written) return written;
  ++m_snapshots;
  if (packet[wire::kKindAt] == static_cast<std::byte>(wire::Kind::Key))
    addPlace(m_index.places, {offset, m_hello, snapshot.time});
  return written;
}

Result<void> RecordingWriter::add(const GameFrameBatch& batch) {
  if (!m_state) return m_state;
  auto written = write(m_encoder.recordedFrames(batch));
  if (written) m_gameFrames += batch.frames.size();
  return written;
}

Result<void> RecordingWriter::add(const FaultSampleBatch& batch) {
  if (!m_state) return m_state;
  std::span<const FaultSample> samples = batch.samples;
  do {
    if (auto written = write(m_encoder.recordedSamples(batch.lost, samples)); !written) return written;
  } while (!samples.empty());
  return {};
}

Result<void> RecordingWriter::finish(const std::deque<Spike>* spikes) {
  if (!m_state) return m_state;
  if (spikes != nullptr && !m_index.places.empty()) {
    m_index.spikes.emplace();
    std::ranges::copy_if(*spikes, std::back_inserter(*m_index.spikes),
                         [this](const Spike& spike) { return spike.end > m_index.places.front().time; });
  }
  const std::string end = packEnd(m_bytes, m_index);
  if (auto written = write(std::as_bytes(std::span(end))); !written) return written;
  errno = 0;
  if (m_file && m_file->close() == nullptr) return stop(errno);
  return {};
}

Result<void> RecordingWriter::write(std::span<const std::byte> packet) {
  errno = 0;
  const auto size = static_cast<std::streamsize>(packet.size());
  const bool written = m_out->sputn(reinterpret_cast<const char*>(packet.data()), size) == size;
  if (!written || m_out->pubsync() != 0) return stop(errno);
  m_bytes += packet.size();
  return {};
}

Result<void> RecordingWriter::stop(int error) {
  m_readerGone = error == EPIPE;
  if (m_file) {
    m_file->close();
    std::error_code ignored;  // readers skip an incomplete last packet
    std::filesystem::resize_file(m_path, m_bytes, ignored);
  }
  m_state = fail("Recording to " + m_path.string() + " stopped: " + reason(error) + ". " + saved() +
                 "Make room or choose another place, then record again.");
  return m_state;
}

std::string RecordingWriter::saved() const {
  if (m_gameFrames + m_snapshots == 0) return {};
  const std::string what =
      m_gameFrames > 0 ? std::to_string(m_gameFrames) + " frames" : std::to_string(m_snapshots) + " snapshots";
  return "The " + what + " written before are saved and can be opened. ";
}

}  // namespace faultline
