// The output of read_stream.py for a watched game's stream, from what the decoder makes of that.
#pragma once

#include <string>
#include <string_view>

namespace faultline::test {

[[nodiscard]] std::string hex(std::string_view bytes);
[[nodiscard]] std::string printedStream(std::string_view bytes);

}  // namespace faultline::test
