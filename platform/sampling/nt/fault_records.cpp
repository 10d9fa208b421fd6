#include "platform/sampling/nt/fault_records.h"

#include <array>
#include <cstring>

namespace faultline {

void readNtFaults(std::span<const std::byte> bytes, std::vector<NtFault>& faults) {
  for (; bytes.size() >= kNtFaultBytes; bytes = bytes.subspan(kNtFaultBytes)) {
    std::array<std::uint64_t, 4> words{};  // code, address, thread, reserved
    std::memcpy(words.data(), bytes.data(), kNtFaultBytes);
    if (words[0] == 0) return;
    faults.push_back({.code = words[0], .address = words[1], .thread = static_cast<std::uint32_t>(words[2])});
  }
}

}  // namespace faultline
