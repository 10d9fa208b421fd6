#include "app/cli/stream/collector.h"

#include <utility>

#include "core/monitor/service_names.h"
#include "core/text/quantity.h"
#include "platform/host/processes.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;
constexpr Nanoseconds kPatience = 30s;  // beyond the interval: a loaded machine is slow

}  // namespace

Result<CollectorStream> CollectorStream::start(const CommonOptions& options, SweepRequest request) {
  request.faultTime = options.faultTime;
  request.synthetic = options.synthetic;
  request.windows = options.windows;
  return start(options, sweepArguments(request), request.interval);
}

Result<CollectorStream> CollectorStream::startWithServices(const CommonOptions& options, SweepRequest request) {
  auto stream = start(options, request);
  if (stream && isThisMachine(options)) stream->m_decoder = Decoder(ServiceNames(serviceOfProcess));
  return stream;
}

Result<CollectorStream> CollectorStream::start(const CommonOptions& options, std::vector<std::string> arguments,
                                               Nanoseconds interval) {
  auto child = CollectorChild::start(options, std::move(arguments));
  if (!child) return tl::unexpected(child.error());
  return CollectorStream(std::move(*child), interval);
}

CollectorStream::CollectorStream(CollectorChild child, Nanoseconds interval)
    : m_child(std::move(child)), m_patience(interval + kPatience) {}

Error CollectorStream::sentNothing() const {
  return {"The collector sent nothing for " + formatDuration(m_patience) + "."};
}

Result<void> CollectorStream::waitForData(const Interrupt& interrupt) const {
  const Waited waited = waitFor(ready(), m_patience, interrupt);
  if (waited == Waited::Ready) return {};
  return tl::unexpected(waited == Waited::Interrupted ? Error{"Interrupted."} : sentNothing());
}

Result<StreamEvent> CollectorStream::waitForEvent(const Interrupt& interrupt) {
  for (;;) {
    auto event = m_decoder.next();
    if (!event || !std::holds_alternative<NeedMoreBytes>(*event)) return event;
    if (ended()) return tl::unexpected(whyEnded());
    if (const auto come = waitForData(interrupt); !come) return tl::unexpected(come.error());
    receive();
  }
}

}  // namespace faultline
