// ConsoleKeys: what a console on Windows tells of keys that were pressed, told apart. Pure.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "platform/host/key.h"

namespace faultline {

// Of a KEY_EVENT_RECORD.
struct ConsoleKey {
  std::uint16_t code = 0;      // which key: VK_UP and the like
  char16_t character = u'\0';  // what it stands for; half a character, if there are two records of it
};

class ConsoleKeys {
 public:
  // In the order in which they were pressed.
  [[nodiscard]] std::vector<Key> tell(std::span<const ConsoleKey> pressed);

 private:
  char16_t m_half = u'\0';  // the first half of a character whose second is yet to come
};

}  // namespace faultline
