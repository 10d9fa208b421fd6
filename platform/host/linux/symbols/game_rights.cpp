#include "platform/host/linux/symbols/game_rights.h"

#include <fmt/format.h>
#include <grp.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <fstream>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace faultline {
namespace {

struct Rights {
  uid_t user = 0;
  gid_t group = 0;
  std::vector<gid_t> groups;
  bool open = false;  // to its own user, in /proc
};

std::optional<Rights> rightsOfGame(std::uint32_t pid) {
  Rights rights;
  struct stat folder{};
  std::uint64_t capabilities = 0;
  bool known = false;
  std::ifstream status(fmt::format("/proc/{}/status", pid));
  for (std::string line; std::getline(status, line);) {
    std::istringstream words(line);
    std::string field;
    std::uint32_t real = 0;
    words >> field;
    if (field == "Uid:") known = static_cast<bool>(words >> real >> rights.user);
    if (field == "Gid:") words >> real >> rights.group;
    if (field == "CapPrm:") words >> std::hex >> capabilities;
    if (field == "Groups:")
      for (gid_t group = 0; words >> group;) rights.groups.push_back(group);
  }
  if (!known || stat(fmt::format("/proc/{}", pid).c_str(), &folder) != 0) return std::nullopt;
  rights.open = folder.st_uid == rights.user && capabilities == 0;
  return rights;
}

bool keepOnly(std::uint32_t capabilities) {
  __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  std::array<__user_cap_data_struct, 2> halves{};
  halves[0].effective = halves[0].permitted = capabilities;
  return syscall(SYS_capset, &header, halves.data()) == 0;
}

}  // namespace

void takeRightsOf(std::uint32_t pid) {
  if (geteuid() != 0) return;
  const auto game = rightsOfGame(pid);
  if (!game || game->user == 0) return;
  const pid_t parent = getppid();
  const bool done =
      prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0) == 0 && setgroups(game->groups.size(), game->groups.data()) == 0 &&
      setresgid(game->group, game->group, game->group) == 0 && setresuid(game->user, game->user, game->user) == 0 &&
      keepOnly(game->open ? 0 : 1U << CAP_SYS_PTRACE);
  if (!done) throw std::runtime_error("the system does not let it take the rights of the game's user");
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // a change of ids has unset it
  if (getppid() != parent) _exit(0);
}

}  // namespace faultline
