#include "app/cli/serve/basic_auth.h"

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "platform/host/secrets/password.h"

namespace faultline {
namespace {

constexpr unsigned kCheapCost = 4;  // about 1 ms
constexpr std::chrono::seconds kTurnPatience{1};
constexpr std::size_t kSettingLength = 29;

bool fits(const std::string& password, const std::string& hash) {
  const std::string own = bcrypt(password, hash);
  return !own.empty() && equalSecrets(own, hash);
}

}  // namespace

std::string fromBase64(std::string_view text) {
  constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const std::size_t padding = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
  if (text.size() % 4 != 0) return {};
  text.remove_suffix(padding);
  std::string bytes;
  std::uint32_t bits = 0;
  unsigned held = 0;
  for (const char letter : text) {
    const std::size_t value = kLetters.find(letter);
    if (value == std::string_view::npos) return {};
    bits = bits << 6U | static_cast<std::uint32_t>(value);
    held += 6;
    if (held < 8) continue;
    held -= 8;
    bytes.push_back(static_cast<char>(bits >> held & 0xFFU));
  }
  return bytes;
}

BasicAuth::BasicAuth(std::vector<WebUser> users) {
  if (users.empty()) return;
  for (WebUser& user : users) m_users.push_back({std::move(user), bcryptSetting(kCheapCost)});
  const auto costs = [](const User& user) { return std::string_view(user.user.hash).substr(4, 2); };
  const auto& dearest = *std::ranges::max_element(m_users, {}, costs);
  m_nobody = {{"", dearest.user.hash.substr(0, kSettingLength)}, bcryptSetting(kCheapCost)};
}

BasicAuth::User& BasicAuth::find(std::string_view name) {
  const auto found =
      std::ranges::find(m_users, name, [](const User& user) { return std::string_view(user.user.name); });
  return found == m_users.end() ? m_nobody : *found;
}

Admission BasicAuth::check(std::string_view authorization) {
  if (m_users.empty()) return Admission::Admitted;
  constexpr std::string_view kScheme = "basic ";
  const bool basic = std::ranges::equal(authorization.substr(0, kScheme.size()), kScheme, {}, [](char letter) {
    return letter >= 'A' && letter <= 'Z' ? letter + 32 : letter;
  });
  if (!basic) return Admission::Refused;
  const std::string both = fromBase64(authorization.substr(kScheme.size()));
  const std::size_t colon = both.find(':');
  if (colon == std::string::npos || both.find('\0') != std::string::npos) return Admission::Refused;
  const std::string password = both.substr(colon + 1);
  User& user = find(std::string_view(both).substr(0, colon));
  std::string known;
  {
    const std::lock_guard lock(m_mutex);
    known = user.known;
  }
  if (fits(password, known)) return Admission::Admitted;
  const std::unique_lock turn(m_turn, kTurnPatience);
  if (!turn) return Admission::TryLater;
  if (!fits(password, user.user.hash)) return Admission::Refused;
  std::string fresh = bcrypt(password, known);
  const std::lock_guard lock(m_mutex);
  user.known = std::move(fresh);
  return Admission::Admitted;
}

}  // namespace faultline
