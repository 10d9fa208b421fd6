#include "app/cli/stream/collector.h"

#include <array>

#include "core/text/duration.h"
#include "core/text/quantity.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;
constexpr Nanoseconds kPatience = 30s;  // beyond the interval: a loaded machine is slow

}  // namespace

Result<CollectorStream> CollectorStream::start(const CommonOptions& options, Nanoseconds interval) {
  std::vector<std::string> arguments{"sweep", "--interval", durationText(interval)};
  if (options.synthetic) arguments.emplace_back("--synthetic");
  if (!options.faultTime) arguments.emplace_back("--no-fault-time");
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
