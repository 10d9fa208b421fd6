// AttentionReader: reads the input of platform/sampling/attention.h from any handle. Never blocks; does not own the
// handle.
#pragma once

#include <windows.h>

#include "platform/sampling/attention.h"

namespace faultline {

class AttentionReader {
 public:
  explicit AttentionReader(HANDLE input) : m_input(input) {}

  [[nodiscard]] Attention read();

 private:
  [[nodiscard]] DWORD readable();

  HANDLE m_input;  // nullptr: ended
  Attention m_told;
};

}  // namespace faultline
