#include "platform/host/stack_reader.h"

#include "platform/host/windows/no_watching.h"

namespace faultline {

Result<std::unique_ptr<GameStackReader>> openStackReader(std::uint32_t /*pid*/) {
  return fail(kNoWatching);
}

}  // namespace faultline
