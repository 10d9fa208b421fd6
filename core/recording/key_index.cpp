#include "core/recording/key_index.h"

#include <algorithm>
#include <span>
#include <system_error>
#include <utility>

#include "core/stream/snapshot_codec.h"

namespace faultline {
namespace {

constexpr std::size_t kLooked = std::size_t{256} << 10U;

std::optional<RecordingIndex> toldByEnd(std::ifstream& file, std::uint64_t size) {
  std::vector<char> tail(static_cast<std::size_t>(std::min<std::uint64_t>(size, kLongestEnd)));
  const std::uint64_t offset = size - tail.size();
  file.seekg(static_cast<std::streamoff>(offset));
  file.read(tail.data(), static_cast<std::streamsize>(tail.size()));
  const bool whole = file.good();
  file.clear();
  file.seekg(0);
  return whole ? indexOfEnd(std::as_bytes(std::span(tail)), offset) : std::nullopt;
}

}  // namespace

KeyIndex::KeyIndex(std::ifstream file, std::uint64_t size) : m_file(std::move(file)), m_size(size), m_piece(kLooked) {
  if (auto index = toldByEnd(m_file, m_size)) {
    m_index = std::move(*index);
    m_complete = true;
  }
}

Result<KeyIndex> KeyIndex::open(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return fail(path.string() + " is not a regular file.");
  const std::uint64_t size = std::filesystem::file_size(path, error);
  std::ifstream file(path, std::ios::binary);
  if (error || !file) return fail(path.string() + " cannot be opened. Check that you have permission to read it.");
  return KeyIndex(std::move(file), size);
}

bool KeyIndex::readMore() {
  if (m_complete) return false;
  m_file.read(m_piece.data(), static_cast<std::streamsize>(m_piece.size()));
  const auto count = static_cast<std::size_t>(m_file.gcount());
  m_packets.feed(std::as_bytes(std::span(m_piece).first(count)));
  while (true) {
    const wire::Packet packet = m_packets.next();
    switch (packet.status) {
      case wire::PacketStatus::NeedMore:
        return count > 0;
      case wire::PacketStatus::Foreign:
      case wire::PacketStatus::OtherMajor:
        return false;
      case wire::PacketStatus::Packet:
        take(packet);
        break;
      case wire::PacketStatus::NewStream:
      case wire::PacketStatus::Damage:
        break;
    }
  }
}

void KeyIndex::take(const wire::Packet& packet) {
  if (packet.kind == static_cast<std::uint8_t>(wire::Kind::Hello)) m_hello = packet.offset;
  if (packet.kind != static_cast<std::uint8_t>(wire::Kind::Key)) return;
  std::vector<KeyPlace>& places = m_index.places;
  if (!places.empty() && packet.offset - places.back().offset < m_size / kMostPlaces) return;
  if (const auto time = wire::timeOfSnapshot(packet.payload)) places.push_back({packet.offset, m_hello, *time});
}

}  // namespace faultline
