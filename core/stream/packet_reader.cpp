#include "core/stream/packet_reader.h"

#include <algorithm>

namespace faultline::wire {
namespace {

// Limits the work of checksums: a malicious stream can nest headers every few bytes, each claiming megabytes of
// payload. A damaged stream stays far below, as each of its bytes is checked once or twice.
constexpr std::uint64_t kChecksFree = 4 * std::uint64_t{kMaxPayload};
constexpr std::uint64_t kChecksPerByte = 4;

bool startsLikeMagic(std::span<const std::byte> bytes) {
  const std::size_t size = std::min(bytes.size(), kMagic.size());
  return std::equal(kMagic.begin(), kMagic.begin() + static_cast<std::ptrdiff_t>(size), bytes.begin(),
                    [](char a, std::byte b) { return static_cast<std::byte>(a) == b; });
}

}  // namespace

void PacketReader::feed(std::span<const std::byte> bytes) {
  if (m_read > 0 && m_read >= m_buffer.size() / 2) {
    m_buffer.erase(m_buffer.begin(), m_buffer.begin() + static_cast<std::ptrdiff_t>(m_read));
    m_read = 0;
  }
  m_buffer.insert(m_buffer.end(), bytes.begin(), bytes.end());
}

void PacketReader::consume(std::size_t count) {
  m_read += count;
  m_offset += count;
}

bool PacketReader::sound(const Header& header) {
  if (m_checked + header.length > kChecksFree + kChecksPerByte * m_offset) return false;
  m_checked += header.length;
  return checksum(rest().subspan(kHeaderSize, header.length)) == header.checksum;
}

Packet PacketReader::preamble() {
  if (!startsLikeMagic(rest())) return {PacketStatus::Foreign, 0, m_offset, {}};
  if (rest().size() < kPreambleSize) return {PacketStatus::NeedMore, 0, m_offset, {}};
  m_major = static_cast<std::uint8_t>(rest()[kMagic.size()]);
  m_minor = static_cast<std::uint8_t>(rest()[kMagic.size() + 1]);
  if (m_major != kMajor) return {PacketStatus::OtherMajor, 0, m_offset, {}};
  const std::uint64_t offset = m_offset;
  consume(kPreambleSize);
  m_begun = true;
  m_searching = false;
  return {PacketStatus::NewStream, 0, offset, {}};
}

// Every packet and every preamble begins with the marker's first byte.
void PacketReader::skipToCandidate() {
  const auto bytes = rest();
  consume(static_cast<std::size_t>(std::find(bytes.begin(), bytes.end(), kMarker[0]) - bytes.begin()));
}

Packet PacketReader::next() {
  if (!m_begun) return preamble();
  while (true) {
    if (m_searching) skipToCandidate();
    const auto bytes = rest();
    if (bytes.empty()) return {PacketStatus::NeedMore, 0, m_offset, {}};
    const bool magic = startsLikeMagic(bytes);
    if (magic && bytes.size() >= kMagic.size()) return preamble();
    if (bytes.size() < kHeaderSize) return {PacketStatus::NeedMore, 0, m_offset, {}};
    const auto header = parseHeader(bytes.first<kHeaderSize>());
    if (header && bytes.size() - kHeaderSize < header->length) return {PacketStatus::NeedMore, 0, m_offset, {}};
    if (header && sound(*header)) {
      const Packet packet{PacketStatus::Packet, header->kind, m_offset, bytes.subspan(kHeaderSize, header->length)};
      consume(kHeaderSize + header->length);
      m_searching = false;
      return packet;
    }
    const bool reported = m_searching;
    const std::uint64_t offset = m_offset;
    m_searching = true;
    consume(1);
    if (!reported) return {PacketStatus::Damage, 0, offset, {}};
  }
}

}  // namespace faultline::wire
