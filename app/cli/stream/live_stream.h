// LiveStream: a collector started as our child, and what it sends. It ends with its owner.
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

class LiveStream {
 public:
  [[nodiscard]] static Result<LiveStream> start(const CommonOptions& options, Nanoseconds interval);
  // The collector's other jobs: `arguments` say which. It may be silent for `interval`.
  [[nodiscard]] static Result<LiveStream> start(const CommonOptions& options, std::vector<std::string> arguments,
                                                Nanoseconds interval);

  [[nodiscard]] WaitHandle ready() const { return m_ended ? kNoHandle : m_child.outputReady(); }
  void receive();  // what has come, for next(); nothing: the collector ended
  [[nodiscard]] bool ended() const { return m_ended; }
  [[nodiscard]] Result<StreamEvent> next() { return m_decoder.next(); }

  // Receives until the collector has said something. Error: it ended, is silent, or makes no sense.
  [[nodiscard]] Result<StreamEvent> waitForEvent();

  void stop() { m_child.terminate(); }                  // what it still says can be received
  [[nodiscard]] std::vector<std::string> complaints();  // lines it has written to standard error since the last call
  [[nodiscard]] Error whyEnded();
  [[nodiscard]] const CollectorChoice& collector() const { return m_collector; }

 private:
  LiveStream(ChildProcess child, CollectorChoice collector, Nanoseconds interval);

  ChildProcess m_child;
  CollectorChoice m_collector;
  Nanoseconds m_patience;
  Decoder m_decoder;
  std::vector<std::byte> m_buffer;
  std::string m_errorText;
  bool m_ended = false;
};

}  // namespace faultline
