#include "app/cli/frames/watched_stacks.h"

#include "core/culprits/synthetic_stacks.h"

namespace faultline {

void WatchedStacks::open(const WatchedGame& watched, bool synthetic) {
  m_game = nullptr;
  m_reader.reset();
  m_whyNot.clear();
  if (synthetic) {
    m_reader = std::make_unique<SyntheticStacks>();
    return;
  }
  if (watched.samples.grade == Grade::Unavailable) return;  // watched.samples.how has the reason
  auto reader = openStackReader(watched.pid, m_budget);
  if (!reader) {
    m_whyNot = reader.error().message;
    return;
  }
  m_game = reader->get();
  m_reader = std::move(*reader);
}

void WatchedStacks::notice(const FaultSample& sample) {
  if (m_reader) m_reader->notice(sample);
}

CallStack WatchedStacks::read(const FaultSample& sample) {
  return m_reader ? m_reader->read(sample) : CallStack();
}

}  // namespace faultline
