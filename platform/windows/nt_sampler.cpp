#include "platform/windows/nt_sampler.h"

namespace faultline {

Result<std::unique_ptr<Sampler>> makeNtSampler(NtFunctions /*functions*/, NtHost /*host*/, const Clock& /*clock*/) {
  return fail("Windows cannot be measured yet.");
}

}  // namespace faultline
