#include "platform/sampling/linux/facts/visibility.h"

#include <sys/stat.h>
#include <unistd.h>

namespace faultline {
namespace {

constexpr ino_t kInitialPidNamespace = 0xEFFFFFFC;  // PROC_PID_INIT_INO, include/linux/proc_ns.h

bool inContainer(const std::string& root) {
  struct stat ns{};
  return stat((root + "/self/ns/pid").c_str(), &ns) == 0 && ns.st_ino != kInitialPidNamespace;
}

}  // namespace

Unavailable describeVisibility(ProcFiles& files, const std::string& root) {
  // Process 1 exists in every namespace and belongs to root: a reader without access to it cannot read others either.
  const int init = files.open("1/stat");
  if (init < 0)
    return {.why =
                "Only processes of the collector's user (nobody, if root starts it) can be seen: /proc is mounted with "
                "hidepid",
            .enable = "A /proc without hidepid."};
  files.close(init);
  if (inContainer(root))
    return {.why = "Only the processes of this container can be seen",
            .enable = "A collector outside of the container."};
  return {};
}

}  // namespace faultline
