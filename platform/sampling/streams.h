// The standard streams of a collector that the system's prompt has started with more rights, on Windows: three named
// pipes of the program that reads it, which has no rights itself.
#pragma once

#include <cstdint>
#include <string>

#include "core/base/result.h"

namespace faultline {

struct PipeStreams {
  std::string name;  // 32 hexadecimal digits
  std::uint32_t reader = 0;
};

// Call first. Replaces standard input, output and error by the pipes NAME-in, NAME-out and NAME-err. Error: the name is
// of another form, a pipe is missing, or a pipe belongs to another process than `reader`.
[[nodiscard]] Result<void> connectStreams(const PipeStreams& streams);

}  // namespace faultline
