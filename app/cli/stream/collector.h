// CollectorStream: a collector started as a child process, and its stream of events. The destructor ends the collector.
#pragma once

#include "app/cli/stream/collector_child.h"
#include "core/stream/decoder.h"
#include "core/watch/options.h"

namespace faultline {

class CollectorStream {
 public:
  // Starts sweeps; `options` set the request's machine and fault time. waitForEvent() fails after the interval and 30 s
  // without data.
  [[nodiscard]] static Result<CollectorStream> start(const CommonOptions& options, SweepRequest request);
  // The same, and each snapshot tells the services of this machine's processes.
  [[nodiscard]] static Result<CollectorStream> startWithServices(const CommonOptions& options, SweepRequest request);
  // The first with other arguments for the collector.
  [[nodiscard]] static Result<CollectorStream> start(const CommonOptions& options, std::vector<std::string> arguments,
                                                     Nanoseconds interval);

  [[nodiscard]] WaitHandle ready() const { return m_child.ready(); }
  // Reads the available bytes for next(), or the end of the stream; blocks unless ready().
  void receive() { m_decoder.feed(m_child.receive()); }
  [[nodiscard]] bool ended() const { return m_child.ended(); }
  [[nodiscard]] Result<StreamEvent> next() { return m_decoder.next(); }

  // Waits until ready(). Error: nothing came for too long, or the interrupt did.
  [[nodiscard]] Result<void> waitForData(const Interrupt& interrupt) const;
  // Waits until an event is complete. Error: as above; or the collector ended or sent invalid data.
  [[nodiscard]] Result<StreamEvent> waitForEvent(const Interrupt& interrupt = {});

  [[nodiscard]] Nanoseconds patience() const { return m_patience; }  // with a collector that sends nothing
  [[nodiscard]] Error sentNothing() const;
  void stop() { m_child.stop(); }  // the remaining data can still be received
  void ask() { m_child.ask(); }    // for a sample at once, where the collector hears it
  [[nodiscard]] std::vector<std::string> complaints() { return m_child.complaints(); }
  [[nodiscard]] Error whyEnded() { return {m_child.end().sentence}; }
  [[nodiscard]] const CollectorChoice& collector() const { return m_child.collector(); }

 private:
  CollectorStream(CollectorChild child, Nanoseconds interval);

  CollectorChild m_child;
  Nanoseconds m_patience;
  Decoder m_decoder;
};

}  // namespace faultline
