// Passwords by bcrypt ($2a$, $2b$ and $2y$), of which the first 72 bytes count.
#pragma once

#include <string>
#include <string_view>

namespace faultline {

// A setting with a new random salt; `cost`: 4 to 31, each step doubles the time. Empty: the system cannot make one.
[[nodiscard]] std::string bcryptSetting(unsigned cost);
// The hash of a password without a NUL. `setting`: from bcryptSetting(), or a hash, with whose cost and salt the
// password is hashed. Empty if the system refuses either.
[[nodiscard]] std::string bcrypt(const std::string& password, const std::string& setting);
// In a time that depends on the lengths alone.
[[nodiscard]] bool equalSecrets(std::string_view one, std::string_view other);

}  // namespace faultline
