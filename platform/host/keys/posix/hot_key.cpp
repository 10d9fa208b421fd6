#include "platform/host/keys/hot_key.h"

namespace faultline {

std::string_view hotKeyName() {
  return {};
}

Result<HotKey> HotKey::take() {
  return fail("This system lends programs no keys.");
}

HotKey::~HotKey() = default;

bool HotKey::pressed(const void* /*message*/) const {
  return false;
}

}  // namespace faultline
