// Which files may still be opened (landlock(7), since Linux 5.13).
#pragma once

namespace faultline {

// For good: those below /proc, to be read. False if this kernel cannot do it, or where /proc is mounted with hidepid:
// there the same rule would take this user's own processes from us.
bool restrictFilesToProc();

}  // namespace faultline
