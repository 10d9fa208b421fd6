// ThreadPolls: how the threads that end frames spent them, where no BPF program tells: from
// /proc/PID/task/TID/schedstat, read with each batch. Estimates (core/marks/polled_time.h). Only of threads that exist
// when it is opened: a collector opens no file later.
#pragma once

#include <cstdint>
#include <map>
#include <span>

#include "core/marks/polled_time.h"
#include "core/model/game_frame.h"
#include "platform/sampling/linux/target/watch_target.h"
#include "platform/system/posix/unique_fd.h"

namespace faultline {

// For people, at the end of how faults are counted.
inline constexpr const char* kPolledTimes =
    ". How the frame's thread waited and slept is an estimate, from schedstat as read every few ms";

class ThreadPolls {
 public:
  ThreadPolls() = default;  // of no thread
  explicit ThreadPolls(const WatchTarget& target);

  // Reads the threads that have ended frames, and tells how these of their frames were spent.
  void tell(std::span<GameFrame> frames, MonotonicTime now);

 private:
  struct Thread {
    UniqueFd schedstat;
    PolledTime times;
    bool endsFrames = false;
  };

  std::map<std::uint32_t, Thread> m_threads;
};

}  // namespace faultline
