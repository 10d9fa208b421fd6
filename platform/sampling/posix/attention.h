// AttentionReader: reads the input of platform/sampling/attention.h from any descriptor. Never blocks. Does not own the
// descriptor, and does not change its flags, because other processes may share it.
#pragma once

#include "platform/sampling/attention.h"

namespace faultline {

class AttentionReader {
 public:
  explicit AttentionReader(int input) : m_input(input) {}

  [[nodiscard]] Attention read();

 private:
  int m_input;  // -1: ended
  Attention m_told;
};

}  // namespace faultline
