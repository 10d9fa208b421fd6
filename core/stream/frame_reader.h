// Bytes in pieces of any size to whole frames whose checksum is right. Knows nothing of what is in them. Its work grows
// with the bytes, whatever they claim to be.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/stream/wire.h"

namespace faultline::wire {

enum class FrameStatus : std::uint8_t { Frame, NewStream, NeedMore, Damage, Foreign, OtherMajor };

struct Frame {
  FrameStatus status = FrameStatus::NeedMore;
  std::uint8_t kind = 0;
  std::uint64_t offset = 0;            // in the stream, of the header's first byte
  std::span<const std::byte> payload;  // valid until the next call
};

class FrameReader {
 public:
  void feed(std::span<const std::byte> bytes);
  // Damage is told once; the calls after it find the next whole frame. Foreign and OtherMajor are for good.
  [[nodiscard]] Frame next();
  // The bytes fed next are those at `offset` of the same stream, where a frame begins.
  void jump(std::uint64_t offset);

  [[nodiscard]] std::size_t pending() const { return m_buffer.size() - m_read; }
  [[nodiscard]] std::uint64_t checked() const { return m_checked; }  // bytes, of payloads sound or not, since jump()
  [[nodiscard]] std::uint8_t major() const { return m_major; }
  [[nodiscard]] std::uint8_t minor() const { return m_minor; }

 private:
  [[nodiscard]] std::span<const std::byte> rest() const { return std::span(m_buffer).subspan(m_read); }
  [[nodiscard]] Frame preamble();
  [[nodiscard]] bool sound(const Header& header);
  void skipToCandidate();
  void consume(std::size_t count);

  std::vector<std::byte> m_buffer;
  std::size_t m_read = 0;
  std::uint64_t m_offset = 0;  // of m_buffer[m_read] in the stream
  std::uint64_t m_passed = 0;  // bytes, since jump()
  std::uint64_t m_checked = 0;
  std::uint8_t m_major = 0;
  std::uint8_t m_minor = 0;
  bool m_begun = false;
  bool m_searching = false;
};

}  // namespace faultline::wire
