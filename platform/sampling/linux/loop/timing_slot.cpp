#include "platform/sampling/timing_slot.h"

#include <linux/capability.h>

#include <string_view>

#include "platform/sampling/linux/bpf/places.h"
#include "platform/sampling/linux/facts/privilege.h"

namespace faultline {
namespace {

struct Kind {
  std::string_view name;
  std::size_t most;
  const char* limit;  // a sentence without its end
};
constexpr Kind kTiming{.name = "timing",
                       .most = 4,
                       .limit = "At most 4 collectors may measure the faults of all processes at once, and 4 do"};
constexpr Kind kDelay{
    .name = "delay", .most = 1, .limit = "At most one collector may delay page faults at once, and another does"};

// Without cap_perfmon the kernel lets a program attach nothing to other users' processes.
bool couldSlowOthers() {
  const auto permitted = permittedCapabilities();
  return permitted && ((*permitted >> CAP_PERFMON) & 1U) != 0;
}

std::string holders(const Places& places, std::string_view kind) {
  std::string text;
  if (const auto held = places.held(kind))
    for (const HeldPlace& place : *held) text += (text.empty() ? "" : ", ") + std::to_string(place.pid);
  if (text.empty()) return "whose pids are not known";
  return (text.find(',') == std::string::npos ? "process " : "processes ") + text;
}

Slot refused(const Unavailable& reason) {
  return {.held = {},
          .refusal = {.why = "The limit of collectors that slow other programs cannot be checked. " + reason.why,
                      .enable = reason.enable}};
}

Slot take(const Kind& kind) {
  if (!couldSlowOthers()) return {};
  const auto places = Places::open();
  if (!places) return refused(places.error());
  auto place = places->take(kind.name, kind.most);
  if (!place) return refused(place.error());
  if (*place) return {.held = std::move(*place), .refusal = {}};
  return {.held = {},
          .refusal = {.why = std::string(kind.limit) + " (" + holders(*places, kind.name) + ")",
                      .enable = "End one of the other collectors."}};
}

}  // namespace

Slot takeTimingSlot() {
  return take(kTiming);
}

Slot takeDelaySlot() {
  return take(kDelay);
}

}  // namespace faultline
