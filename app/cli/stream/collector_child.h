// CollectorChild: a collector started as a child process, and its bytes. The destructor ends the collector.
#pragma once

#include <chrono>
#include <span>
#include <string>
#include <vector>

#include "app/cli/stream/common_options.h"
#include "core/base/result.h"
#include "core/watch/collector_end.h"
#include "platform/host/child_process.h"
#include "platform/host/collector_choice.h"
#include "platform/host/processes.h"

namespace faultline {

class CollectorChild {
 public:
  [[nodiscard]] static Result<CollectorChild> start(const CommonOptions& options, std::vector<std::string> arguments);

  [[nodiscard]] WaitHandle ready() const { return m_ended ? kNoHandle : m_child.outputReady(); }
  // Reads the available bytes; blocks unless ready(). Valid until the next call. Empty: the collector has ended.
  [[nodiscard]] std::span<const std::byte> receive();
  [[nodiscard]] bool ended() const { return m_ended; }

  void stop() { m_child.terminate(); }                  // the remaining data can still be received
  void ask() { m_child.ask(); }                         // for a sample at once, where the collector hears it
  [[nodiscard]] std::vector<std::string> complaints();  // whole lines of its standard error since the last call
  [[nodiscard]] CollectorEnd end();                     // exit status and messages of the collector; waits up to 1 s
  [[nodiscard]] const CollectorChoice& collector() const { return m_collector; }

 private:
  CollectorChild(ChildProcess child, CollectorChoice collector, bool watches);
  using Steady = std::chrono::steady_clock;
  void readErrors();

  ChildProcess m_child;
  CollectorChoice m_collector;
  std::vector<std::byte> m_buffer;
  std::string m_errorText;
  bool m_watches;  // a game, in which it may have probes
  bool m_ended = false;
  Steady::time_point m_heard = Steady::now();  // of the last bytes
  std::optional<std::uint64_t> m_memoryKills = memoryKills();
};

}  // namespace faultline
