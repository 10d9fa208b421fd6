// Where civetweb is missing.
#include "app/cli/serve/http_server.h"

namespace faultline {

struct HttpServer::State {};

Result<HttpServer> HttpServer::start(const HttpAddress& /*address*/, std::string /*path*/, HttpAnswers /*answers*/,
                                     Protection /*protection*/) {
  return fail(
      "This Faultline was built without civetweb and cannot listen. Use --textfile, which node_exporter reads.");
}

}  // namespace faultline
