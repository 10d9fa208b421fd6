#include "core/stream/recording_writer.h"

#include <cerrno>
#include <string>
#include <system_error>

namespace faultline {
namespace {

// The standard streams do not hand on the reason, but the systems we run on leave it in errno.
std::string reason(int error) {
  return error != 0 ? std::generic_category().message(error) : std::string("the system gave no reason");
}

}  // namespace

Result<RecordingWriter> RecordingWriter::create(const std::filesystem::path& path, const Hello& hello) {
  errno = 0;
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  if (!file) return fail(path.string() + " cannot be written: " + reason(errno) + ". Choose another place.");
  RecordingWriter writer(path, std::move(file));
  if (auto written = writer.add(hello); !written) return tl::unexpected<Error>(written.error());
  return writer;
}

RecordingWriter::RecordingWriter(std::filesystem::path path, std::ofstream file)
    : m_path(std::move(path)), m_file(std::move(file)) {}

Result<void> RecordingWriter::add(const Hello& hello) {
  return m_state ? write(m_encoder.hello(hello)) : m_state;
}

Result<void> RecordingWriter::add(const Snapshot& snapshot) {
  if (!m_state) return m_state;
  auto written = write(m_encoder.snapshot(snapshot));
  if (written) ++m_snapshots;
  return written;
}

Result<void> RecordingWriter::finish() {
  if (!m_state) return m_state;
  auto written = write(m_encoder.end());
  m_file.close();
  return written;
}

Result<void> RecordingWriter::write(std::span<const std::byte> frame) {
  errno = 0;
  m_file.write(reinterpret_cast<const char*>(frame.data()), static_cast<std::streamsize>(frame.size()));
  m_file.flush();
  if (m_file) {
    m_bytes += frame.size();
    return {};
  }
  const std::string why = reason(errno);
  m_file.close();
  std::error_code ignored;  // a torn last frame is read past anyway
  std::filesystem::resize_file(m_path, m_bytes, ignored);
  m_state = fail("Recording to " + m_path.string() + " stopped: " + why + ". The " + std::to_string(m_snapshots) +
                 " snapshots written before are saved and can be opened. Make room or choose another place, then "
                 "record again.");
  return m_state;
}

}  // namespace faultline
