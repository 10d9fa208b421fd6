#include "platform/sampling/timing_slot.h"

#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include "platform/sampling/linux/facts/privilege.h"
#include "platform/system/posix/unique_fd.h"

namespace faultline {
namespace {

constexpr off_t kSlots = 4;
constexpr off_t kNames = 64;  // first byte of the locks that carry the holders' pids
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

// Takes a read lock, since the file is open read-only, and gives it back if another process holds one, too. Two
// processes at once may both give way, but never both keep the slot.
bool take(int file, off_t slot) {
  auto lock = lockOf(slot, F_RDLCK);
  if (!isFree(file, slot) || fcntl(file, F_OFD_SETLK, &lock) != 0) return false;
  if (isFree(file, slot)) return true;
  lock.l_type = F_UNLCK;
  fcntl(file, F_OFD_SETLK, &lock);
  return false;
}

// The slot's lock (F_OFD_SETLK) belongs to the open file and has no pid. This second lock (F_SETLK) has a pid, but ends
// with any close() of the file: it is used only to name the holder.
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
  return text.empty() ? "whose pids are not known" : "processes " + text;
}

// Between two rounds, so that two processes that gave way to each other do not collide again.
void pauseShortly() {
  const timespec pause{.tv_sec = 0, .tv_nsec = (1 + getpid() % 8) * 1'000'000L};
  nanosleep(&pause, nullptr);
}

bool couldMeasure() {
  const auto permitted = permittedCapabilities();
  return isRoot() || (permitted && (*permitted & measuringCapabilities()) != 0);
}

}  // namespace

// The slots are locks on bytes of the collector's own executable, which every collector can open. A lock ends with its
// process, and stays while the process is stopped.
TimingSlot takeTimingSlot() {
  if (!couldMeasure()) return {};
  auto file = std::make_shared<UniqueFd>(open("/proc/self/exe", O_RDONLY | O_CLOEXEC));
  if (!*file)
    return {.held = {},
            .refusal =
                "The limit of collectors that measure the faults of all processes cannot be checked: the collector may "
                "not read its own executable"};
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
                     " collectors may measure the faults of all processes at once, and " + std::to_string(kSlots) +
                     " do (" + holders(file->get()) + ")"};
}

}  // namespace faultline
