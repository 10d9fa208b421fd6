#include "platform/sampling/streams.h"

namespace faultline {

Result<void> connectStreams(const PipeStreams& /*streams*/) {
  return fail("Only a collector on Windows has named pipes for standard streams.");
}

}  // namespace faultline
