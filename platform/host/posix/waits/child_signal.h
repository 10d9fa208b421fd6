// ChildSignal: while it lives, each end and each stop of a child ends a wait() at once. Needs no descriptor.
#pragma once

#include <poll.h>

#include <csignal>
#include <span>

#include "core/base/units.h"

namespace faultline {

class ChildSignal {
 public:
  ChildSignal();
  ~ChildSignal();
  ChildSignal(const ChildSignal&) = delete;
  ChildSignal& operator=(const ChildSignal&) = delete;

  // As ppoll(2), for at most 50 ms: the system may tell another thread of a child.
  void wait(std::span<pollfd> files, Nanoseconds most) const;

 private:
  struct sigaction m_action{};  // before
  sigset_t m_mask{};            // before
  bool m_handled = false;
};

}  // namespace faultline
