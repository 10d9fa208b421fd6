// Advice in words, as the command that tries it, and as JSON.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/advice/advice.h"

namespace faultline {

[[nodiscard]] std::string_view adviceName(AdviceKind kind);  // "keep": its name in JSON
// The remedies of `faultline-cli try` that may show the gain without a change to the program; empty: none does.
// They reach memory of malloc alone.
[[nodiscard]] std::vector<std::string> remediesOf(const Advice& advice);
// The words of the command that tries them on the frames of `program`; empty: a change to the program is needed.
[[nodiscard]] std::vector<std::string> tryCommand(const Advice& advice, std::span<const std::string> program);
// The words of the command that tries all remedies on runs of `program`.
[[nodiscard]] std::vector<std::string> tryCommand(std::span<const std::string> program);
// The command as typed in a shell. Words that are not plain are quoted.
[[nodiscard]] std::string asTyped(std::span<const std::string> words);

// "81 % of the time in faults of the 10 worst frames is for memory that is touched again after it was given back, in
// Level::load (level.cpp:212): keep it, or take it from a pool. Expected: about 8.40 ms of the 9.00 ms by which such a
// frame is late. Price: the memory stays taken."
[[nodiscard]] std::string adviceText(const Advice& advice);
// With the command, "… Try: faultline-cli try --frames --with keep -- ./game", or why there is none. `program`: may be
// empty.
[[nodiscard]] std::string adviceText(const Advice& advice, std::span<const std::string> program);
[[nodiscard]] std::string adviceJson(const Advice& advice, std::span<const std::string> program = {});  // an object

}  // namespace faultline
