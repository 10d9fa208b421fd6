#include "platform/sampling/lockdown.h"

#include <windows.h>

#include "platform/sampling/windows/elevation.h"
#include "platform/sampling/windows/mitigation.h"
#include "platform/sampling/windows/privilege.h"

namespace faultline {

// The caller sets the standard handles to any number. A number that is not a handle yet may become the next one opened.
void occupyStandardStreams() {
  for (const DWORD stream : {STD_INPUT_HANDLE, STD_OUTPUT_HANDLE, STD_ERROR_HANDLE}) {
    ::SetLastError(NO_ERROR);
    if (::GetFileType(::GetStdHandle(stream)) == FILE_TYPE_UNKNOWN && ::GetLastError() != NO_ERROR)
      ::SetStdHandle(stream, nullptr);
  }
}

// Windows has no limit of open files, and a child inherits only listed handles.
Result<void> makeRoomForFiles() {
  return {};
}

Result<void> withholdPrivileges() {
  return enablePrivileges({kDebugPrivilege, kProfilePrivilege}, false);
}

Result<void> keepMeasuringPrivileges() {
  if (const auto kept = keepPrivileges({kDebugPrivilege, kProfilePrivilege}); !kept) return kept;
  return enablePrivileges({kDebugPrivilege, kProfilePrivilege}, true);
}

Result<void> lockDown(Sampler& sampler) {
  if (const auto withheld = withholdPrivileges(); !withheld) return withheld;
  return lockDown(sampler.needs());
}

// The zero-page threads are open; sample() opens nothing.
Result<void> lockDown(const SamplerNeeds& needs) {
  const auto kept = needs.privileges ? keepPrivileges({kProfilePrivilege}) : keepPrivileges({});
  if (!kept) return kept;
  if (needs.privileges) {
    if (const auto enabled = enablePrivileges({kProfilePrivilege}, true); !enabled) return enabled;
  }
  renounceElevation();
  applyMitigations();
  return {};
}

}  // namespace faultline
