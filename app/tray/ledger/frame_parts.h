// The parts of a frame, from its one ledger, as a bar; and the frame in a short line beside it.
#pragma once

#include <QString>
#include <optional>
#include <vector>

#include "app/tray/ledger/parts_bar.h"
#include "core/frames/judge.h"

namespace faultline {

// Of the thread that ends the frame; they add up to the frame. `nsPerFault`: as FrameRules has it.
[[nodiscard]] std::vector<Part> frameParts(const GameFrame& frame, std::optional<double> nsPerFault);

// "Frame 700: 19.0 ms, 8 192 faults, late by 2.29 ms, probably 93 % of it by faults".
[[nodiscard]] QString frameHead(const JudgedFrame& judged);

}  // namespace faultline
