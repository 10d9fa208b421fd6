// AttentionReader: the wishes of platform/sampling/attention.h from any descriptor. Never blocks, does not own it and
// leaves its flags alone, since it may be shared.
#pragma once

namespace faultline {

class AttentionReader {
 public:
  explicit AttentionReader(int input) : m_input(input) {}

  [[nodiscard]] bool somebodyLooks();

 private:
  int m_input;  // -1: it has ended
  bool m_looks = true;
};

}  // namespace faultline
