// AttentionReader: the wishes of platform/sampling/attention.h from any handle. Never waits, and does not own it.
#pragma once

#include <windows.h>

namespace faultline {

class AttentionReader {
 public:
  explicit AttentionReader(HANDLE input) : m_input(input) {}

  [[nodiscard]] bool somebodyLooks();

 private:
  [[nodiscard]] DWORD readable();

  HANDLE m_input;  // nullptr: it has ended
  bool m_looks = true;
};

}  // namespace faultline
