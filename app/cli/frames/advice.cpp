#include "app/cli/frames/advice.h"

#include <vector>

namespace faultline {

std::optional<Advice> sessionAdvice(const GameSession& session, const FrameCulprits& culprits) {
  static const Culprits kNone;
  std::vector<FrameEvidence> evidence;
  for (const JudgedFrame& judged : session.tally().worst) {
    const auto found = culprits.find(judged.frame.start);
    evidence.push_back({judged, found == culprits.end() ? kNone : found->second});
  }
  return adviceFor(evidence, session.tally().minorFaults + session.tally().majorFaults, session.paid());
}

}  // namespace faultline
