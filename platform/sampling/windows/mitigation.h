// Process mitigation policies (SetProcessMitigationPolicy), which cannot be revoked.
#pragma once

namespace faultline {

// Forbids child processes, dynamic code, remote libraries and extension points, as far as this Windows supports the
// policies. Failures are ignored.
void applyMitigations();

}  // namespace faultline
