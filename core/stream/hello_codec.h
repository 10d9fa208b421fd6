// Packs and reads Hello: a map with text keys that describes every metric, so that foreign readers need no table.
#pragma once

#include <optional>

#include "core/model/hello.h"
#include "core/stream/packing.h"
#include "core/stream/tokens.h"

namespace faultline::wire {

void packHello(const Hello& hello, Packer& out);
// Ignores unknown keys and metrics; a metric missing from the map is unavailable. Absent if the value is not a Hello.
[[nodiscard]] std::optional<Hello> readHello(TokenReader in);

}  // namespace faultline::wire
