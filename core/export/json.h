// JSON of moments: one object per moment. Names are exact: `name` is UTF-8, and where the raw bytes are not, `name_hex`
// carries them.
#pragma once

#include <string>

#include "core/model/hello.h"
#include "core/monitor/rates.h"

namespace faultline {

[[nodiscard]] std::string toJson(const Hello& hello);
[[nodiscard]] std::string toJson(const Moment& moment);

}  // namespace faultline
