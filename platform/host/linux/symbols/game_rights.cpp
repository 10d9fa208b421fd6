#include "platform/host/linux/symbols/game_rights.h"

#include <grp.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <stdexcept>
#include <vector>

#include "core/parse/proc_status.h"
#include "platform/system/posix/process_folder.h"

namespace faultline {
namespace {

bool keepOnly(std::uint32_t capabilities) {
  __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  std::array<__user_cap_data_struct, 2> halves{};
  halves[0].effective = halves[0].permitted = capabilities;
  return syscall(SYS_capset, &header, halves.data()) == 0;
}

}  // namespace

void takeRightsOf(std::uint32_t pid) {
  if (geteuid() != 0) return;
  const ProcessFolder folder(pid);
  const auto game = parseProcStatus(folder.readOfProcess("status"));
  struct stat owner{};
  if (!game || game->user.effective == 0 || fstat(folder.get(), &owner) != 0) return;
  const uid_t user = game->user.effective;
  const gid_t group = game->userGroup.effective;
  const std::vector<gid_t>& others = game->otherGroups;
  const bool open = owner.st_uid == user && game->capabilities == 0;  // to its own user, in /proc
  const pid_t parent = getppid();
  const bool done = prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0) == 0 && setgroups(others.size(), others.data()) == 0 &&
                    setresgid(group, group, group) == 0 && setresuid(user, user, user) == 0 &&
                    keepOnly(open ? 0 : 1U << CAP_SYS_PTRACE);
  if (!done) throw std::runtime_error("the system does not let it take the rights of the game's user");
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // a change of ids has unset it
  if (getppid() != parent) _exit(0);
}

}  // namespace faultline
