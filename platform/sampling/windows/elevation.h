// Gives up the rank of an elevated administrator, as far as tokens allow. Privileges: see privilege.h.
#pragma once

namespace faultline {

// Lowers the integrity of this process to that of an ordinary user, for good. For this thread, the Administrators group
// only denies from now on: Windows lets no process remove the group from its own token. Call when all handles are open,
// and privileges are as they stay. Without effect on a process that is not elevated.
void renounceElevation();

}  // namespace faultline
