// HttpServer: answers GET of known paths on one address of this machine, by civetweb, in threads of its own. Nothing
// else is reachable: no file is served, a body is not read, and a slow or silent client holds one of few threads for
// seconds. Protection: by TLS no other program on the way can read or alter the answer, by passwords nobody else gets
// one.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "app/cli/serve/protection.h"
#include "core/base/hidden.h"
#include "core/base/result.h"

namespace faultline {

struct HttpAddress {
  std::string host;  // as the user has written it, with brackets for IPv6
  std::uint16_t port = 0;
};
// "127.0.0.1:9469", "[::1]:9469", or a port alone, which means 127.0.0.1.
[[nodiscard]] Result<HttpAddress> parseHttpAddress(std::string_view text);
// Whether programs of this machine alone reach the address.
[[nodiscard]] bool isLoopback(const HttpAddress& address);

struct HttpAnswer {
  std::string type;
  std::string body;
};
// By the request's path and its header Accept; absent: nothing is at that path. Called by several threads at once.
using HttpAnswers = std::function<std::optional<HttpAnswer>(std::string_view path, std::string_view accept)>;

class HttpServer {
 public:
  // `path`: where the numbers are; the answer to any unknown path tells so.
  [[nodiscard]] static Result<HttpServer> start(const HttpAddress& address, std::string path, HttpAnswers answers,
                                                Protection protection);

 private:
  struct State;
  explicit HttpServer(Hidden<State> state) : m_state(std::move(state)) {}
  Hidden<State> m_state;
};

}  // namespace faultline
