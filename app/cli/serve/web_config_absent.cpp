// Where civetweb, libyaml or libcrypt is missing.
#include "app/cli/serve/web_config.h"

namespace faultline {

Result<WebConfig> parseWebConfig(std::string_view /*yaml*/, const std::filesystem::path& /*folder*/) {
  return fail("This Faultline was built without civetweb, libyaml or libcrypt, and knows neither TLS nor passwords.");
}

}  // namespace faultline
