// The true cost of page faults for the frames, in words and as JSON.
#pragma once

#include <optional>
#include <string>

#include "core/delay/study.h"

namespace faultline {

// "Page faults were delayed by 12.3 ms in all, in 320 of 640 frames: the frames pay 96 % (91 to 101 %) of the time in
// faults." `paced`: see DelayStudy::paid().
[[nodiscard]] std::string delayText(const DelayStudy& study, bool paced);
// An object, or null without delays: frames, delayed_frames, added_ns, own_added_ns, pairs, paid_share, paid_share_low,
// paid_share_high (null: too little was delayed), at_least, text.
[[nodiscard]] std::string delayJson(const DelayStudy& study, bool paced);

}  // namespace faultline
