// The events of page faults and of lost events in a kernel trace of Windows (ETW): classes PageFault_V2 and
// RT_LostEvent of Microsoft's documentation. Pure. Faultline opens no such trace yet: these parsers have never met
// Windows' own events.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace faultline {

using EtwProvider = std::array<std::uint8_t, 16>;  // a GUID in memory: the first three groups little-endian

// {3d6fa8d3-fe05-11d0-9dda-00c04fd7ba7c}
inline constexpr EtwProvider kEtwPageFault{0xD3, 0xA8, 0x6F, 0x3D, 0x05, 0xFE, 0xD0, 0x11,
                                           0x9D, 0xDA, 0x00, 0xC0, 0x4F, 0xD7, 0xBA, 0x7C};
// {6a399ae0-4bc6-4de9-870b-3657f8947e7e}
inline constexpr EtwProvider kEtwLostEvent{0xE0, 0x9A, 0x39, 0x6A, 0xC6, 0x4B, 0xE9, 0x4D,
                                           0x87, 0x0B, 0x36, 0x57, 0xF8, 0x94, 0x7E, 0x7E};

struct EtwEvent {
  EtwProvider provider{};
  std::uint8_t type = 0;     // "opcode" of the event's header
  std::uint8_t pointer = 8;  // bytes of an address on the traced system: 4 or 8
  std::uint32_t thread = 0;  // of the header
  std::span<const std::byte> payload{};
};

// The event's type, as documented.
enum class EtwFaultKind : std::uint8_t {
  Transition = 10,  // the page was in memory already
  DemandZero = 11,
  CopyOnWrite = 12,
  GuardPage = 13,
  Hard = 14,
  AccessViolation = 15,  // no page came
  HardRead = 32,         // the read of pages from a file, after it
};

struct EtwFault {
  EtwFaultKind kind = EtwFaultKind::Transition;
  std::uint64_t address = 0;
  std::uint64_t code = 0;  // 0 for HardRead
  std::uint32_t thread = 0;
  std::uint32_t bytes = 0;  // HardRead alone

  bool operator==(const EtwFault&) const = default;
};

// Absent: another event, or one that is cut.
[[nodiscard]] std::optional<EtwFault> parseEtwFault(const EtwEvent& event);

// The loss at this point of the trace: an event, a buffer of unknown many, or the end of a file. Absent: none.
enum class EtwLoss : std::uint8_t { Event = 32, Buffer = 33, File = 34 };
[[nodiscard]] std::optional<EtwLoss> parseEtwLoss(const EtwEvent& event);

}  // namespace faultline
