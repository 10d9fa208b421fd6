// WatchTarget: one process, held so that its pid cannot come to mean another, and whether it still is what it was.
// Errors: there is no such process, or it is somebody else's.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/base/result.h"
#include "core/model/game_frame.h"
#include "core/model/hello.h"
#include "core/parse/proc_status.h"
#include "platform/sampling/linux/perf/image_witness.h"
#include "platform/system/posix/unique_fd.h"

namespace faultline {

class WatchTarget {
 public:
  // Of the caller's own real user only; root may watch everybody's.
  [[nodiscard]] static Result<WatchTarget> open(std::uint32_t pid);

  // From here on, another program would be another. Again when the right one has begun. Error: it lets nobody look.
  [[nodiscard]] Result<void> holdProgram();

  [[nodiscard]] bool exited() const;  // cheap
  // It is alive, and its memory open to the caller's own rights; whoever was root when it was opened needs none.
  [[nodiscard]] bool letsLook() const;
  // It still is the program that was held, without a break; false as well where the kernel does not tell.
  [[nodiscard]] bool isStillHeld() const {
    return m_witness && m_witness->stands() && letsLook() && state() == GameState::Running;
  }
  [[nodiscard]] GameState state() const;  // takes a look at its memory
  [[nodiscard]] std::uint32_t pid() const { return m_pid; }
  [[nodiscard]] const ProcStatus& status() const { return m_status; }
  [[nodiscard]] const std::string& name() const { return m_name; }
  [[nodiscard]] int process() const { return m_process.get(); }  // a pidfd
  [[nodiscard]] int folder() const { return m_folder.get(); }    // /proc/PID, for *at calls
  [[nodiscard]] int stat() const { return m_stat.get(); }        // /proc/PID/stat
  [[nodiscard]] int maps() const { return m_maps.get(); }        // /proc/PID/maps of the program that is held

 private:
  std::uint32_t m_pid = 0;
  bool m_byRoot = false;
  ProcStatus m_status;
  std::string m_name;
  UniqueFd m_process;  // a pidfd: readable once the process is gone
  UniqueFd m_folder;
  UniqueFd m_stat;
  std::optional<ImageWitness> m_witness;
  UniqueFd m_maps;  // of the program it runs now: reads nothing any more once it runs another
};

// What every stream about this process begins with; how it is watched is the caller's to fill.
[[nodiscard]] Hello watchHello(const WatchTarget& target, Nanoseconds interval);

}  // namespace faultline
