// The advice on a watched game's worst frames.
#pragma once

#include <optional>

#include "app/cli/frames/report.h"
#include "core/advice/advice.h"

namespace faultline {

[[nodiscard]] std::optional<Advice> sessionAdvice(const GameSession& session, const FrameCulprits& culprits);

}  // namespace faultline
