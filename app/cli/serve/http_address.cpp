#include <charconv>

#include "app/cli/serve/http_server.h"

namespace faultline {

Result<HttpAddress> parseHttpAddress(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  const std::string_view digits = colon == std::string_view::npos ? text : text.substr(colon + 1);
  HttpAddress address{.host = colon == std::string_view::npos ? "127.0.0.1" : std::string(text.substr(0, colon))};
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), address.port);
  const bool host = !address.host.empty() && address.host.find_first_of(", +rs/") == std::string::npos;
  if (error != std::errc() || end != digits.data() + digits.size() || address.port == 0 || !host)
    return fail("An address is HOST:PORT, such as 127.0.0.1:9469 or [::1]:9469, or a port alone.");
  return address;
}

bool isLoopback(const HttpAddress& address) {
  return address.host.starts_with("127.") || address.host == "[::1]";
}

}  // namespace faultline
