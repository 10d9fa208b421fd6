// CollectorStream: a collector started as a child process, and its stream of events. The destructor ends the collector.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/cli/stream/common_options.h"
#include "core/base/result.h"
#include "core/stream/decoder.h"
#include "platform/host/child_process.h"
#include "platform/host/collector_choice.h"

namespace faultline {

class CollectorStream {
 public:
  // Starts sweeps every `interval`.
  [[nodiscard]] static Result<CollectorStream> start(const CommonOptions& options, Nanoseconds interval);
  // Starts the collector with these arguments. waitForEvent() fails after `interval` + 30 s without data.
  [[nodiscard]] static Result<CollectorStream> start(const CommonOptions& options, std::vector<std::string> arguments,
                                                     Nanoseconds interval);

  [[nodiscard]] WaitHandle ready() const { return m_ended ? kNoHandle : m_child.outputReady(); }
  void receive();  // reads the available bytes for next(), or the end of the stream; blocks unless ready()
  [[nodiscard]] bool ended() const { return m_ended; }
  [[nodiscard]] Result<StreamEvent> next() { return m_decoder.next(); }

  // Blocks until an event is complete. Error: the collector ended, sent nothing for too long, or sent invalid data.
  [[nodiscard]] Result<StreamEvent> waitForEvent();

  void stop() { m_child.terminate(); }                  // the remaining data can still be received
  [[nodiscard]] std::vector<std::string> complaints();  // whole lines of its standard error since the last call
  [[nodiscard]] Error whyEnded();                       // exit status and messages of the collector; waits up to 1 s
  [[nodiscard]] const CollectorChoice& collector() const { return m_collector; }

 private:
  CollectorStream(ChildProcess child, CollectorChoice collector, Nanoseconds interval);

  ChildProcess m_child;
  CollectorChoice m_collector;
  Nanoseconds m_patience;
  Decoder m_decoder;
  std::vector<std::byte> m_buffer;
  std::string m_errorText;
  bool m_ended = false;
};

}  // namespace faultline
