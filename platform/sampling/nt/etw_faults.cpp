#include "platform/sampling/nt/etw_faults.h"

#include <cstring>

namespace faultline {
namespace {

class Payload {
 public:
  Payload(std::span<const std::byte> rest, std::size_t pointer) : m_rest(rest), m_pointer(pointer) {}

  std::uint64_t number(std::size_t bytes) {
    std::uint64_t value = 0;
    m_whole = m_whole && bytes <= m_rest.size();
    if (!m_whole) return 0;
    std::memcpy(&value, m_rest.data(), bytes);
    m_rest = m_rest.subspan(bytes);
    return value;
  }
  std::uint64_t address() { return number(m_pointer); }
  [[nodiscard]] bool whole() const { return m_whole; }

 private:
  std::span<const std::byte> m_rest;
  std::size_t m_pointer;
  bool m_whole = true;
};

}  // namespace

std::optional<EtwFault> parseEtwFault(const EtwEvent& event) {
  if (event.provider != kEtwPageFault || (event.pointer != 4 && event.pointer != 8)) return std::nullopt;
  EtwFault fault{.kind = static_cast<EtwFaultKind>(event.type), .thread = event.thread};
  Payload payload(event.payload, event.pointer);
  switch (fault.kind) {
    case EtwFaultKind::Transition:
    case EtwFaultKind::DemandZero:
    case EtwFaultKind::CopyOnWrite:
    case EtwFaultKind::GuardPage:
    case EtwFaultKind::Hard:
    case EtwFaultKind::AccessViolation:
      fault.address = payload.address();
      fault.code = payload.address();
      break;
    case EtwFaultKind::HardRead:
      payload.number(8);  // when the read began
      payload.number(8);  // offset in the file
      fault.address = payload.address();
      payload.address();  // the file's object
      fault.thread = static_cast<std::uint32_t>(payload.number(4));
      fault.bytes = static_cast<std::uint32_t>(payload.number(4));
      break;
    default:
      return std::nullopt;
  }
  return payload.whole() ? std::optional(fault) : std::nullopt;
}

std::optional<EtwLoss> parseEtwLoss(const EtwEvent& event) {
  const auto loss = static_cast<EtwLoss>(event.type);
  const bool known = loss == EtwLoss::Event || loss == EtwLoss::Buffer || loss == EtwLoss::File;
  return event.provider == kEtwLostEvent && known ? std::optional(loss) : std::nullopt;
}

}  // namespace faultline
