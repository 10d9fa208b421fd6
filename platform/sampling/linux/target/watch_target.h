// WatchTarget: holds a process, so that its pid cannot become another process's, and tells whether it still runs the
// same program. Errors: there is no such process, or it belongs to another user.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/model/game_frame.h"
#include "core/model/hello.h"
#include "core/parse/proc_status.h"
#include "platform/sampling/linux/perf/image_witness.h"
#include "platform/system/posix/process_folder.h"

namespace faultline {

// Time without a frame before the game's memory is checked.
inline constexpr Nanoseconds kQuiet = std::chrono::milliseconds(250);

// Of a process; zeros if not known.
struct PidNamespace {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
};
[[nodiscard]] PidNamespace ownPidNamespace();

class WatchTarget {
 public:
  // Only processes of the caller's real user; root may watch all.
  [[nodiscard]] static Result<WatchTarget> open(std::uint32_t pid);

  // Remembers the program that runs now. Call it again once the right program runs. Error: the process is unreadable.
  [[nodiscard]] Result<void> holdProgram();

  [[nodiscard]] bool exited() const;  // cheap
  // The process lives, and the caller's own rights may read its memory. Always permitted if root opened it.
  [[nodiscard]] bool letsLook() const;
  // The process has run the held program without a break; also false if the kernel does not tell.
  [[nodiscard]] bool isStillHeld() const {
    return std::ranges::any_of(m_witnesses, &ImageWitness::stands) && letsLook() && state() == GameState::Running;
  }
  [[nodiscard]] GameState state() const;  // reads its memory; opens nothing
  // Minor and major faults of all its threads so far; also after its end, until its parent has waited for it.
  [[nodiscard]] std::optional<std::pair<std::uint64_t, std::uint64_t>> faults() const;
  [[nodiscard]] std::uint32_t pid() const { return m_pid; }
  [[nodiscard]] const ProcStatus& status() const { return m_status; }
  [[nodiscard]] const std::string& name() const { return m_name; }  // of the held program
  [[nodiscard]] std::string nameNow() const;                        // opens nothing
  [[nodiscard]] int process() const { return m_process.get(); }     // a pidfd
  [[nodiscard]] const ProcessFolder& folder() const { return m_folder; }
  [[nodiscard]] PidNamespace pidNamespace() const;
  [[nodiscard]] int maps() const { return m_maps.get(); }  // of the held program

 private:
  void callWitnesses();

  std::uint32_t m_pid = 0;
  bool m_byRoot = false;
  ProcStatus m_status;
  std::string m_name;
  UniqueFd m_process;  // a pidfd: readable once the process has ended
  ProcessFolder m_folder;
  UniqueFd m_stat;
  std::vector<ImageWitness> m_witnesses;
  bool m_headless = false;  // the first thread had ended when the program was held
  UniqueFd m_maps;          // of the held program: empty once the process runs another
};

// The Hello of a stream about this process; the caller adds how the process is watched.
[[nodiscard]] Hello watchHello(const WatchTarget& target, Nanoseconds interval);

}  // namespace faultline
