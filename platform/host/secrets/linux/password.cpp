#include "platform/host/secrets/password.h"

#include <crypt.h>

#include <array>
#include <memory>

namespace faultline {

std::string bcryptSetting(unsigned cost) {
  std::array<char, CRYPT_GENSALT_OUTPUT_SIZE> setting{};
  return crypt_gensalt_rn("$2b$", cost, nullptr, 0, setting.data(), static_cast<int>(setting.size())) == nullptr
             ? std::string()
             : std::string(setting.data());
}

std::string bcrypt(const std::string& password, const std::string& setting) {
  const auto work = std::make_unique<crypt_data>();  // 32 KiB
  const char* const hash = crypt_r(password.c_str(), setting.c_str(), work.get());
  return hash == nullptr || hash[0] == '*' ? std::string() : std::string(hash);
}

}  // namespace faultline
