// The parts of a game's JSON that other documents have, too; see export.h.
#pragma once

#include <nlohmann/json.hpp>

#include "core/frames/figures.h"
#include "core/frames/files/export.h"

namespace faultline {

[[nodiscard]] nlohmann::ordered_json frameJson(const ExportedFrame& exported);
[[nodiscard]] nlohmann::ordered_json watchedJson(const WatchedGame& watched);
[[nodiscard]] nlohmann::ordered_json summaryJson(const FrameSum& sum, const SessionTotals& totals);

}  // namespace faultline
