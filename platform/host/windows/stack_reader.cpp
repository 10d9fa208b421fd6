#include "platform/host/stack_reader.h"

namespace faultline {

Result<std::unique_ptr<GameStackReader>> openStackReader(std::uint32_t /*pid*/) {
  return fail("Faultline cannot read call stacks on Windows.");
}

}  // namespace faultline
