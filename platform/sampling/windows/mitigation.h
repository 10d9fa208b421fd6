// Process mitigation policies (SetProcessMitigationPolicy): walls that this process puts around itself for good.
#pragma once

namespace faultline {

// No child processes, no code but what is loaded already, no libraries from elsewhere or from those who extend other
// programs; each where this Windows knows it. No privilege depends on them.
void renounceWhatMeasuringNeverDoes();

}  // namespace faultline
