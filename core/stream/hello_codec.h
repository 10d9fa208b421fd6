// Hello to MessagePack and back: a map with string keys that explains every metric, so that a foreign reader needs no
// table of ours.
#pragma once

#include <optional>

#include "core/model/hello.h"
#include "core/stream/packing.h"
#include "core/stream/tokens.h"

namespace faultline::wire {

void packHello(const Hello& hello, Packer& out);
// Unknown keys and metrics are ignored; a metric that the writer did not know is unavailable.
[[nodiscard]] std::optional<Hello> readHello(TokenReader in);

}  // namespace faultline::wire
