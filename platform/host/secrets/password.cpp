#include "platform/host/secrets/password.h"

namespace faultline {

bool equalSecrets(std::string_view one, std::string_view other) {
  if (one.size() != other.size()) return false;
  volatile unsigned char different = 0;  // volatile: the compiler would leave the loop early
  for (std::size_t at = 0; at < one.size(); ++at)
    different = static_cast<unsigned char>(
        different | (static_cast<unsigned char>(one[at]) ^ static_cast<unsigned char>(other[at])));
  return different == 0;
}

}  // namespace faultline
