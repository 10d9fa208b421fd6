#include "app/cli/stream/collector.h"

#include <array>
#include <utility>

#include "core/text/quantity.h"
#include "core/watch/options.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;
constexpr Nanoseconds kPatience = 30s;  // beyond the interval: a loaded machine is slow

}  // namespace

Result<CollectorStream> CollectorStream::start(const CommonOptions& options, Nanoseconds interval) {
  return start(options,
               sweepArguments({.interval = interval,
                               .faultTime = options.faultTime,
                               .synthetic = options.synthetic,
                               .windows = options.windows}),
               interval);
}

Result<CollectorStream> CollectorStream::start(const CommonOptions& options, std::vector<std::string> arguments,
                                               Nanoseconds interval) {
  auto child = CollectorChild::start(options, std::move(arguments));
  if (!child) return tl::unexpected(child.error());
  return CollectorStream(std::move(*child), interval);
}

CollectorStream::CollectorStream(CollectorChild child, Nanoseconds interval)
    : m_child(std::move(child)), m_patience(interval + kPatience) {}

Result<StreamEvent> CollectorStream::waitForEvent() {
  for (;;) {
    auto event = m_decoder.next();
    if (!event || !std::holds_alternative<NeedMoreBytes>(*event)) return event;
    if (ended()) return tl::unexpected(whyEnded());
    if (waitAny(std::array{ready()}, m_patience) == 0)
      return fail("The collector sent nothing for " + formatDuration(m_patience) + ".");
    receive();
  }
}

}  // namespace faultline
