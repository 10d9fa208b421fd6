// BasicAuth: admits users by HTTP's basic authentication and bcrypt hashes.
// A wrong password costs as much time as bcrypt takes, on one processor at a time: others wait a second, and are then
// refused. A user whose password was right once is known by a cheap hash with a salt of this process.
#pragma once

#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/serve/web_config.h"

namespace faultline {

enum class Admission { Admitted, Refused, TryLater };

class BasicAuth {
 public:
  explicit BasicAuth(std::vector<WebUser> users);  // empty: everybody is admitted

  // By the request's header Authorization. Called by several threads at once.
  [[nodiscard]] Admission check(std::string_view authorization);

 private:
  struct User {
    WebUser user;
    std::string known;  // the cheap hash; until a password was right, its setting
  };
  [[nodiscard]] User& find(std::string_view name);

  std::vector<User> m_users;
  User m_nobody;       // takes the time of a user, and has no password
  std::mutex m_mutex;  // of User::known
  std::timed_mutex m_turn;
};

// The bytes of a text in base64, padded as RFC 4648 demands; empty if it is damaged.
[[nodiscard]] std::string fromBase64(std::string_view text);

}  // namespace faultline
