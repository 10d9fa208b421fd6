// Limits the files that may be opened (landlock(7), since Linux 5.13).
#pragma once

namespace faultline {

// From now on only files below /proc can be opened, for reading. False if this kernel cannot do this, or if /proc is
// mounted with hidepid: there the rule would hide even this user's processes.
bool restrictFilesToProc();

}  // namespace faultline
