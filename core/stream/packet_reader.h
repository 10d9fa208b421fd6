// PacketReader: splits a stream, fed in pieces of any size, into packets whose checksums are right. Does not interpret
// payloads. The work is linear in the bytes fed, whatever lengths they claim.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/stream/wire.h"

namespace faultline::wire {

enum class PacketStatus : std::uint8_t { Packet, NewStream, NeedMore, Damage, Foreign, OtherMajor };

struct Packet {
  PacketStatus status = PacketStatus::NeedMore;
  std::uint8_t kind = 0;
  std::uint64_t offset = 0;            // of the first byte of the header in the stream
  std::span<const std::byte> payload;  // valid until the next call
};

class PacketReader {
 public:
  void feed(std::span<const std::byte> bytes);
  // Reports each stretch of damage once; the next call searches for the next intact packet. Foreign and OtherMajor are
  // final.
  [[nodiscard]] Packet next();

  [[nodiscard]] std::size_t pending() const { return m_buffer.size() - m_read; }
  [[nodiscard]] std::uint64_t checked() const { return m_checked; }  // bytes of payload, intact or not
  [[nodiscard]] std::uint8_t major() const { return m_major; }
  [[nodiscard]] std::uint8_t minor() const { return m_minor; }

 private:
  [[nodiscard]] std::span<const std::byte> rest() const { return std::span(m_buffer).subspan(m_read); }
  [[nodiscard]] Packet preamble();
  [[nodiscard]] bool sound(const Header& header);
  void skipToCandidate();
  void consume(std::size_t count);

  std::vector<std::byte> m_buffer;
  std::size_t m_read = 0;
  std::uint64_t m_offset = 0;  // of m_buffer[m_read] in the stream
  std::uint64_t m_checked = 0;
  std::uint8_t m_major = 0;
  std::uint8_t m_minor = 0;
  bool m_begun = false;
  bool m_searching = false;
};

}  // namespace faultline::wire
