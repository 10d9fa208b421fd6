// Constants of the stream format and the packet header. format.md in this folder explains them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace faultline::wire {

inline constexpr std::string_view kMagic = "FAULTLINE\n";
inline constexpr std::uint8_t kMajor = 1;   // readers refuse any other
inline constexpr std::uint8_t kMinor = 21;  // incremented when something is appended that older readers may ignore
inline constexpr std::size_t kPreambleSize = kMagic.size() + 2;

inline constexpr std::size_t kHeaderSize = 12;
inline constexpr std::size_t kKindAt = 4;
inline constexpr std::size_t kMaxPayload = (std::size_t{1} << 24U) - 1;  // the header has 24 bits for the length
inline constexpr std::array<std::byte, 2> kMarker{std::byte{'F'}, std::byte{'L'}};

enum class Kind : std::uint8_t {
  Hello = 1,
  Key = 2,
  Delta = 3,
  End = 4,
  GameFrames = 5,
  FaultSamples = 6,
  RecordedFrames = 7,
  RecordedSamples = 8,
};

inline constexpr std::uint32_t kSnapshotFields = 11;      // a newer minor version may append
inline constexpr std::uint32_t kDurationsField = 11;      // optional
inline constexpr std::uint32_t kSnapshotFieldsOf10 = 10;  // format 1.0: without `exited`
// Limits of a snapshot, for the writer and for the reader. Processes beyond are omitted and counted.
inline constexpr std::size_t kMaxProcesses = std::size_t{1} << 15U;
inline constexpr std::size_t kMaxListed = std::size_t{1}
                                          << 17U;  // limit of older writers, which deltas may still refer to
inline constexpr std::size_t kMaxName = 1024;      // bytes; longer names and texts are cut
inline constexpr std::size_t kMaxText = 4096;
// Bytes are sent as pages if every value of a snapshot is a whole number of pages.
inline constexpr unsigned kPageShift = 12;

struct Header {
  std::uint8_t kind = 0;
  std::uint32_t length = 0;
  std::uint32_t checksum = 0;  // of the payload
};

[[nodiscard]] std::uint32_t checksum(std::span<const std::byte> bytes);
[[nodiscard]] std::array<std::byte, kHeaderSize> packHeader(Kind kind, std::span<const std::byte> payload);
// Absent if the bytes are not a header. The header has a checksum of its own, so a damaged length is never used.
[[nodiscard]] std::optional<Header> parseHeader(std::span<const std::byte, kHeaderSize> bytes);

}  // namespace faultline::wire
