#include "core/recording/recent.h"

#include "core/stream/decoder.h"

namespace faultline {

void RecentRecording::begin(const Hello& hello) {
  m_hello = hello;
  m_anew = true;
  ++m_begun;
}

void RecentRecording::append(Piece& piece, std::span<const std::byte> packet) {
  piece.bytes.insert(piece.bytes.end(), packet.begin(), packet.end());
  m_bytes += packet.size();
}

void RecentRecording::add(const Snapshot& snapshot) {
  if (!m_hello) return;
  if (m_anew || m_pieces.back().snapshots == kKeySnapshotEvery) {
    m_anew = false;
    m_encoder = Encoder();
    if (!m_pieces.empty()) m_pieces.back().bytes.shrink_to_fit();
    m_pieces.push_back({.begun = m_begun, .hello = *m_hello, .from = snapshot.time, .to = snapshot.time});
    append(m_pieces.back(), m_encoder.hello(*m_hello));
  }
  Piece& piece = m_pieces.back();
  append(piece, m_encoder.snapshot(snapshot));
  piece.to = snapshot.time;
  ++piece.snapshots;
  while (m_pieces.size() > 1 && (m_pieces.front().to < snapshot.time - m_limits.time || m_bytes > m_limits.bytes)) {
    m_bytes -= m_pieces.front().bytes.size();
    m_pieces.pop_front();
  }
}

void RecentRecording::clear() {
  m_pieces.clear();
  m_bytes = 0;
  m_anew = true;
}

Nanoseconds RecentRecording::length() const {
  return m_pieces.empty() ? Nanoseconds(0) : m_pieces.back().to - m_pieces.front().from;
}

std::optional<MonotonicTime> RecentRecording::newest() const {
  return m_pieces.empty() ? std::nullopt : std::optional(m_pieces.back().to);
}

std::optional<Hello> RecentRecording::hello(MonotonicTime from) const {
  for (const Piece& piece : m_pieces)
    if (piece.to >= from) return piece.hello;
  return std::nullopt;
}

Result<void> RecentRecording::writeTo(RecordingWriter& writer, MonotonicTime from) const {
  std::size_t written = 0;  // the number of the last Hello
  for (const Piece& piece : m_pieces) {
    if (piece.to < from) continue;
    if (written != 0 && piece.begun != written)
      if (auto added = writer.add(piece.hello); !added) return added;
    written = piece.begun;
    Decoder decoder;
    decoder.feed(piece.bytes);
    for (auto event = decoder.next(); event && !std::holds_alternative<NeedMoreBytes>(*event); event = decoder.next()) {
      const auto* const snapshot = std::get_if<const Snapshot*>(&*event);
      if (snapshot == nullptr || (*snapshot)->time < from) continue;
      if (auto added = writer.add(**snapshot); !added) return added;
    }
  }
  return {};
}

}  // namespace faultline
