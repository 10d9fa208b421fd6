#include "platform/host/lab/crew.h"

#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <vector>

#include "platform/host/lab/isolation.h"
#include "platform/host/lab/linux/refused.h"
#include "platform/host/lab/usage.h"
#include "platform/host/posix/waits/children.h"
#include "platform/host/posix/waits/descriptors.h"
#include "platform/system/posix/unique_fd.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;
constexpr Nanoseconds kStepPatience = 10s;

bool sent(int socket, const void* data, std::size_t size) {
  return ::send(socket, data, size, MSG_NOSIGNAL) == static_cast<ssize_t>(size);
}

// Until the parent closes its end.
[[noreturn]] void serve(int socket, std::uint32_t parent, const std::function<void(std::uint8_t)>& work) {
  endWithParent(parent);
  for (std::uint8_t step = 0; receiveAll(socket, &step, sizeof step);) {
    const LabUsage before = threadUsage();
    work(step);
    const LabUsage after = threadUsage();
    const CrewUsage usage{.faults = after.faults - before.faults, .processor = *after.processor - *before.processor};
    if (!sent(socket, &usage, sizeof usage)) break;
  }
  _exit(0);
}

}  // namespace

struct ProcessCrew::State {
  struct Child {
    pid_t pid;
    UniqueFd socket;
  };
  std::vector<Child> children;

  ~State() {
    for (Child& child : children) child.socket = UniqueFd();
    for (const Child& child : children)
      if (!takeEndWithin(child.pid, kStepPatience)) killAndTakeEnd(child.pid);
  }
};

// A child closes what it inherits of its elder siblings, or these would never see the end.
Result<ProcessCrew> ProcessCrew::start(std::size_t count, const std::function<void(std::uint8_t)>& work) {
  auto state = makeHidden<State>();
  const auto parent = static_cast<std::uint32_t>(getpid());
  for (std::size_t i = 0; i < count; ++i) {
    std::array<int, 2> ends{};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) return refused("socketpair");
    UniqueFd mine(ends[0]);
    const UniqueFd others(ends[1]);
    const pid_t pid = fork();
    if (pid < 0) return refused("fork");
    if (pid == 0) {
      for (State::Child& elder : state->children) close(elder.socket.get());
      close(mine.get());
      serve(others.get(), parent, work);
    }
    state->children.push_back({pid, std::move(mine)});
  }
  return ProcessCrew(std::move(state));
}

Result<CrewUsage> ProcessCrew::together(std::uint8_t step) {
  for (const State::Child& child : m_state->children)
    if (!sent(child.socket.get(), &step, sizeof step)) return refused("send");
  CrewUsage all;
  for (const State::Child& child : m_state->children) {
    CrewUsage usage;
    if (!receiveAll(child.socket.get(), &usage, sizeof usage)) return fail("A child process has ended too early.");
    all.faults += usage.faults;
    all.processor += usage.processor;
  }
  return all;
}

}  // namespace faultline
