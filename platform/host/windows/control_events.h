// State shared with the handler of console events, which Windows calls in a thread of its own. Global, because the
// handler gets no argument.
#pragma once

#include <atomic>

namespace faultline {

struct ControlEvents {
  std::atomic<int> listeners{0};    // live Signals objects
  std::atomic<int> defaults{0};     // live DefaultSignals objects
  std::atomic<int> stuckWrites{0};  // writes in progress, during which no signal is taken
};
inline ControlEvents controlEvents;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

// Increments a count while it lives.
class Counted {
 public:
  explicit Counted(std::atomic<int>& count) : m_count(count) { ++m_count; }
  ~Counted() { --m_count; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;

 private:
  std::atomic<int>& m_count;
};

}  // namespace faultline
