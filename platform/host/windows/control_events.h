// What the handler of console events, which runs in a thread that Windows makes for it, has to know of the rest of this
// program. It gets no argument, so this cannot live anywhere else.
#pragma once

#include <atomic>

namespace faultline {

struct ControlEvents {
  std::atomic<int> listeners{0};    // whoever is to be told of them
  std::atomic<int> asUsual{0};      // somebody wants them to have their usual effect
  std::atomic<int> stuckWrites{0};  // that go on now: while one does, nobody looks at signals
};
inline ControlEvents controlEvents;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

// While it lives, its count is one higher.
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
