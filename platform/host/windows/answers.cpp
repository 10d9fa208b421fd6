#include "platform/host/answers.h"

namespace faultline {

struct AnswerServer::State {};

Result<AnswerServer> AnswerServer::start(std::string_view /*name*/, Answer /*answer*/) {
  return fail("A running Faultline answers questions on Linux only.");
}

Result<std::string> askRunning(std::string_view /*question*/, const AnswerLimits& /*limits*/) {
  return fail("A running Faultline answers questions on Linux only. Use its window, or 'faultline-cli snapshot'.");
}

}  // namespace faultline
