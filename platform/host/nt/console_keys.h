// ConsoleKeys: decodes the key records of a Windows console. Makes no system call.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "platform/host/key.h"

namespace faultline {

// From a KEY_EVENT_RECORD.
struct ConsoleKey {
  std::uint16_t code = 0;      // virtual key code, such as VK_UP
  char16_t character = u'\0';  // a UTF-16 unit; a surrogate pair comes as two records
};

class ConsoleKeys {
 public:
  // The keys in the order pressed. A high surrogate at the end is kept for the next call.
  [[nodiscard]] std::vector<Key> tell(std::span<const ConsoleKey> pressed);

 private:
  char16_t m_half = u'\0';  // a high surrogate whose low surrogate has not come yet
};

}  // namespace faultline
