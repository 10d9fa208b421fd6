#include "platform/sampling/linux/confine/landlock.h"

#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

namespace faultline {
namespace {

// A confined process may not look into processes outside, and hidepid makes that a condition for seeing them.
bool hidesProcesses() {
  return access("/proc/1/stat", R_OK) != 0;
}

bool allowReadingProc(int rules) {
  const int proc = open("/proc", O_PATH | O_CLOEXEC);
  const landlock_path_beneath_attr rule{.allowed_access = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR,
                                        .parent_fd = proc};
  const bool added = proc >= 0 && syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) == 0;
  if (proc >= 0) close(proc);
  return added;
}

}  // namespace

bool restrictFilesToProc() {
  if (hidesProcesses()) return false;
  constexpr std::uint64_t kEveryAccess = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1U) - 1;  // of the first version
  landlock_ruleset_attr handled{};                                                 // has more fields in newer headers
  handled.handled_access_fs = kEveryAccess;
  const auto rules = static_cast<int>(syscall(SYS_landlock_create_ruleset, &handled, sizeof handled, 0));
  if (rules < 0) return false;
  const bool restricted = allowReadingProc(rules) && syscall(SYS_landlock_restrict_self, rules, 0) == 0;
  close(rules);
  return restricted;
}

}  // namespace faultline
