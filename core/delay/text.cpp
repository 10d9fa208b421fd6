#include "core/delay/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/text/quantity.h"

namespace faultline {

std::string delayText(const DelayStudy& study, bool paced) {
  const DelayTotals& totals = study.totals();
  std::string text =
      fmt::format("Page faults were delayed by {} in all, in {} of {} frames: ", formatDuration(totals.added),
                  formatCount(totals.delayed), formatCount(totals.frames));
  if (study.scatters(paced))
    return text + "the frames differ too much to tell what one pays. Stop other programs, or watch for longer.";
  const auto paid = study.paid(paced);
  if (!paid)
    return text + fmt::format("too little to tell what a frame pays; {} pairs of stretches with faults are needed.",
                              kFewestPairs);
  const auto percent = [](double share) { return formatPercent(std::max(share, 0.0)); };
  text += fmt::format("the frames pay {}{} ({} to {}) of the time in faults", paid->atLeast ? "at least " : "",
                      percent(paid->slope.slope), percent(paid->slope.low), percent(paid->slope.high));
  if (paid->atLeast)
    text +=
        "; in a game that keeps a cadence, waits for other threads are seen only if they are by a futex, and not for "
        "the processor";
  return text + ".";
}

std::string delayJson(const DelayStudy& study, bool paced) {
  using Json = nlohmann::ordered_json;
  const DelayTotals& totals = study.totals();
  if (totals.frames == 0) return "null";
  const auto paid = study.paid(paced);
  const auto known = [&](double PairSlope::* of) { return paid ? Json(paid->slope.*of) : Json(); };
  const Json json{{"frames", totals.frames},
                  {"delayed_frames", totals.delayed},
                  {"added_ns", totals.added.count()},
                  {"own_added_ns", totals.own.count()},
                  {"pairs", paid ? Json(paid->slope.pairs) : Json()},
                  {"paid_share", known(&PairSlope::slope)},
                  {"paid_share_low", known(&PairSlope::low)},
                  {"paid_share_high", known(&PairSlope::high)},
                  {"at_least", paid ? Json(paid->atLeast) : Json()},
                  {"text", delayText(study, paced)}};
  return json.dump();
}

}  // namespace faultline
