#include "core/culprits/causes.h"

namespace faultline {

void CauseCount::add(const FaultSample& sample, FaultKind kind, const std::string& line, Nanoseconds time) {
  const MemoryKind memory = memoryKind(sample);
  std::string name = memoryName(sample);
  Counted& counted = m_causes[{kind, memory, name, line, sample.thread}];
  FaultCause& cause = counted.cause;
  cause.kind = kind;
  cause.memory = memory;
  cause.name = std::move(name);
  cause.line = line;
  cause.thread = sample.thread;
  cause.faults += sample.weight;
  cause.time += time;
  if (kind == FaultKind::FirstTouch && m_known.contains(blockOf(sample))) cause.inKnownBlocks += sample.weight;
  if (sample.mapping && sample.mapping->end - sample.mapping->begin < kHugeRange)
    cause.inSmallMappings += sample.weight;
  counted.ranges.insert(sample.address / kHugeRange);
}

std::vector<FaultCause> CauseCount::found() const {
  std::vector<FaultCause> causes;
  for (const auto& [key, counted] : m_causes) {
    causes.push_back(counted.cause);
    causes.back().ranges = counted.ranges.size();
  }
  return causes;
}

}  // namespace faultline
