// AttentionReader: reads the input of platform/sampling/attention.h from any handle. Never blocks; does not own the
// handle.
#pragma once

#include <windows.h>

namespace faultline {

class AttentionReader {
 public:
  explicit AttentionReader(HANDLE input) : m_input(input) {}

  [[nodiscard]] bool active();

 private:
  [[nodiscard]] DWORD readable();

  HANDLE m_input;  // nullptr: ended
  bool m_active = true;
};

}  // namespace faultline
