#include "platform/host/costs/conditions.h"

#include <windows.h>

namespace faultline {
namespace {

// With this value all programs' VirtualAlloc() works as with MEM_TOP_DOWN, from the next restart on
// ("AllocationPreference" in Microsoft's documentation of 64-bit Windows).
bool allocatesTopDown() {
  DWORD preference = 0;
  DWORD size = sizeof preference;
  return ::RegGetValueW(HKEY_LOCAL_MACHINE, L"SYSTEM\\CurrentControlSet\\Control\\Session Manager\\Memory Management",
                        L"AllocationPreference", RRF_RT_REG_DWORD, nullptr, &preference, &size) == ERROR_SUCCESS &&
         preference == MEM_TOP_DOWN;
}

}  // namespace

std::string costSettings() {
  return allocatesTopDown() ? "AllocationPreference top down" : "";
}

std::string systemAllocator() {
  return {};  // that of the system's version
}

std::string costWarning() {
  if (!allocatesTopDown()) return {};
  return "AllocationPreference in the registry makes all programs allocate from the top of their address space: each "
         "of "
         "many allocations is then dearer than the one before (see 'faultline-cli lab topdown').";
}

std::optional<double> machineLoad() {
  return std::nullopt;
}

}  // namespace faultline
