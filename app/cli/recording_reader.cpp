#include "app/cli/recording_reader.h"

namespace faultline {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{256} << 10U;
constexpr std::size_t kMostTroubles = 100;

}  // namespace

Result<RecordingReader> RecordingReader::open(const std::filesystem::path& path) {
  auto file = ByteReader::open(path);
  if (!file) return tl::unexpected(file.error());
  return RecordingReader(std::move(*file));
}

RecordingReader::RecordingReader(ByteReader file) : m_file(std::move(file)), m_buffer(kBufferBytes) {}

Result<void> RecordingReader::readMore() {
  const auto got = m_file.read(m_buffer);
  if (!got) return tl::unexpected(got.error());
  m_bytesRead += *got;
  m_atEnd = *got == 0;
  m_decoder.feed(std::span<const std::byte>(m_buffer).first(*got));
  return {};
}

void RecordingReader::judgeEnd() {
  if (m_endedWell && m_decoder.bytesPending() == 0) return;
  m_troubles.emplace_back("The recording was cut: its end is missing.");
}

Result<StreamEvent> RecordingReader::next() {
  for (;;) {
    auto event = m_decoder.next();
    if (!event) {
      const std::string& message = event.error().message;
      if (!m_begun) return event;
      // The decoder repeats only an error that it cannot get over.
      const bool again = !m_troubles.empty() && m_troubles.back() == message;
      if (!again && m_troubles.size() < kMostTroubles) m_troubles.push_back(message);
      if (again) return StreamEvent(StreamEnd{});
      continue;
    }
    if (std::holds_alternative<StreamEnd>(*event)) {
      m_endedWell = true;  // another recording may follow
      continue;
    }
    if (!std::holds_alternative<NeedMoreBytes>(*event)) {
      m_begun = true;
      m_endedWell = false;
      return event;
    }
    if (m_atEnd) {
      if (!m_begun) return fail("This is not a Faultline recording, or it was cut before it had begun.");
      judgeEnd();
      return StreamEvent(StreamEnd{});
    }
    if (const auto more = readMore(); !more) return tl::unexpected(more.error());
  }
}

}  // namespace faultline
