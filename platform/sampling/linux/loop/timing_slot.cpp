#include "platform/sampling/timing_slot.h"

#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include <cstdint>
#include <vector>

#include "platform/sampling/linux/facts/privilege.h"
#include "platform/system/posix/unique_fd.h"

namespace faultline {
namespace {

constexpr off_t kSlots = 4;
constexpr off_t kNames = 64;  // where the locks begin that tell whose a slot is
constexpr int kRounds = 3;

struct flock lockOf(off_t place, short kind) {
  struct flock lock{};
  lock.l_type = kind;
  lock.l_whence = SEEK_SET;
  lock.l_start = place;
  lock.l_len = 1;
  return lock;
}

bool isFree(int file, off_t slot) {
  auto lock = lockOf(slot, F_WRLCK);
  return fcntl(file, F_OFD_GETLK, &lock) == 0 && lock.l_type == F_UNLCK;
}

// Two that come at once may both give way. Nobody can hold what somebody holds already: whoever comes later sees that.
bool take(int file, off_t slot) {
  auto lock = lockOf(slot, F_RDLCK);
  if (!isFree(file, slot) || fcntl(file, F_OFD_SETLK, &lock) != 0) return false;
  if (isFree(file, slot)) return true;
  lock.l_type = F_UNLCK;
  fcntl(file, F_OFD_SETLK, &lock);
  return false;
}

// A slot's own lock belongs to an open file; one of this kind, which is easily lost, tells a process.
void leaveName(int file, off_t slot) {
  auto lock = lockOf(kNames + slot, F_RDLCK);
  fcntl(file, F_SETLK, &lock);
}

std::string holders(int file) {
  std::string text;
  for (off_t slot = 0; slot < kSlots; ++slot) {
    auto lock = lockOf(kNames + slot, F_WRLCK);
    if (fcntl(file, F_GETLK, &lock) != 0 || lock.l_type == F_UNLCK || lock.l_pid <= 0) continue;
    text += (text.empty() ? "" : ", ") + std::to_string(lock.l_pid);
  }
  return text.empty() ? "which do not tell their pids" : "processes " + text;
}

// Between two rounds, so that those who gave way to each other do not come at once again.
void pauseShortly() {
  const timespec pause{.tv_sec = 0, .tv_nsec = (1 + getpid() % 8) * 1'000'000L};
  nanosleep(&pause, nullptr);
}

bool couldMeasure() {
  const auto permitted = permittedCapabilities();
  return isRoot() || (permitted && (*permitted & measuringCapabilities()) != 0);
}

}  // namespace

// Locks of bytes of this program's own file: there is one wherever a collector runs, and none but those who may start
// it need be able to open it. They end with their holder, and last while it is stopped.
TimingSlot takeTimingSlot() {
  if (!couldMeasure()) return {};
  auto file = std::make_shared<UniqueFd>(open("/proc/self/exe", O_RDONLY | O_CLOEXEC));
  if (!*file)
    return {.held = {},
            .refusal =
                "Whether others measure at everybody's faults cannot be told: this program may not read its own file"};
  for (int round = 0; round < kRounds; ++round) {
    for (off_t slot = 0; slot < kSlots; ++slot) {
      if (!take(file->get(), slot)) continue;
      leaveName(file->get(), slot);
      return {.held = std::move(file), .refusal = {}};
    }
    pauseShortly();
  }
  return {.held = {},
          .refusal = "At most " + std::to_string(kSlots) +
                     " collectors may measure at everybody's faults at once, and " + std::to_string(kSlots) + " do (" +
                     holders(file->get()) + ")"};
}

}  // namespace faultline
