// Replaces symbols/stack_reader.cpp in builds without libdw.
#include "platform/host/stack_reader.h"

namespace faultline {

Result<std::unique_ptr<GameStackReader>> openStackReader(std::uint32_t /*pid*/,
                                                         std::shared_ptr<ReadingBudget> /*budget*/) {
  return fail(
      "Call stacks are not available: this program was built without libdw. Install libdw-dev and build it again.");
}

std::string everyFaultWarning() {
  return {};
}

}  // namespace faultline
