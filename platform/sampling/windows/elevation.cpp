#include "platform/sampling/windows/elevation.h"

#include <windows.h>

#include <array>
#include <cstddef>

#include "platform/system/windows/token.h"
#include "platform/system/windows/unique_handle.h"

namespace faultline {
namespace {

struct KnownSid {
  alignas(SID) std::array<std::byte, SECURITY_MAX_SID_SIZE> bytes{};
  bool valid = false;

  explicit KnownSid(WELL_KNOWN_SID_TYPE type) {
    auto size = static_cast<DWORD>(bytes.size());
    valid = ::CreateWellKnownSid(type, nullptr, bytes.data(), &size) != 0;
  }
  [[nodiscard]] PSID get() { return bytes.data(); }
};

void lowerIntegrity(HANDLE token) {
  KnownSid medium(WinMediumLabelSid);
  if (!medium.valid) return;
  TOKEN_MANDATORY_LABEL label{.Label = {.Sid = medium.get(), .Attributes = SE_GROUP_INTEGRITY}};
  ::SetTokenInformation(token, TokenIntegrityLevel, &label,
                        static_cast<DWORD>(sizeof label + ::GetLengthSid(medium.get())));
}

// Windows lets a thread act with a weaker copy of its process's own token.
void denyAdministrators(HANDLE token) {
  KnownSid administrators(WinBuiltinAdministratorsSid);
  SID_AND_ATTRIBUTES disabled{.Sid = administrators.get(), .Attributes = 0};
  HANDLE restricted = nullptr;
  if (!administrators.valid ||
      ::CreateRestrictedToken(token, 0, 1, &disabled, 0, nullptr, 0, nullptr, &restricted) == 0)
    return;
  const UniqueHandle weaker(restricted);
  ::ImpersonateLoggedOnUser(weaker.get());
}

}  // namespace

void renounceElevation() {
  HANDLE opened = nullptr;
  constexpr DWORD kAccess =
      TOKEN_QUERY | TOKEN_DUPLICATE | TOKEN_IMPERSONATE | TOKEN_ADJUST_DEFAULT | TOKEN_ASSIGN_PRIMARY;
  if (::OpenProcessToken(::GetCurrentProcess(), kAccess, &opened) == 0) return;
  const UniqueHandle token(opened);
  if (!isElevated(token.get())) return;
  lowerIntegrity(token.get());
  denyAdministrators(token.get());
}

}  // namespace faultline
