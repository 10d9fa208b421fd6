#include "app/cli/serve/http_server.h"

#include <civetweb.h>
#include <fmt/format.h>

#include <memory>
#include <mutex>
#include <vector>

#include "app/cli/serve/basic_auth.h"
#include "platform/host/secrets/openssl.h"

namespace faultline {
namespace {

constexpr const char* kThreads = "4";
constexpr const char* kPatienceMs = "5000";  // with a client that sends or reads nothing
constexpr const char* kMostRequestBytes = "8192";
constexpr const char* kMostWaiting = "16";  // connections; the system refuses more

// `status`: with further headers on lines of their own. Returns its number.
int respond(mg_connection* connection, std::string_view status, std::string_view type, std::string_view body) {
  const bool whole = std::string_view(mg_get_request_info(connection)->request_method) != "HEAD";
  const std::string head = fmt::format(
      "HTTP/1.1 {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: close\r\nCache-Control: no-store\r\n\r\n",
      status, type, body.size());
  mg_write(connection, head.data(), head.size());
  if (whole) mg_write(connection, body.data(), body.size());
  return std::stoi(std::string(status.substr(0, 3)));
}

// Pairs of a name and a value.
std::vector<std::string> optionsOf(const std::string& ports, const std::optional<Tls>& tls) {
  std::vector<std::string> options{"listening_ports",    ports,        "num_threads",      kThreads,
                                   "request_timeout_ms", kPatienceMs,  "max_request_size", kMostRequestBytes,
                                   "connection_queue",   kMostWaiting, "listen_backlog",   kMostWaiting,
                                   "enable_keep_alive",  "no"};
  if (!tls) return options;
  options.insert(options.end(), {"ssl_certificate", tls->pem.path(), "ssl_protocol_version", tls->newest ? "5" : "4"});
  if (!tls->clientCa.empty())  // in place of the system's authorities, not beside them
    options.insert(options.end(),
                   {"ssl_verify_peer", "yes", "ssl_ca_file", tls->clientCa.string(), "ssl_default_verify_paths", "no"});
  return options;
}

}  // namespace

struct HttpServer::State {
  State(std::string where, HttpAnswers how, std::vector<WebUser> users)
      : path(std::move(where)), answers(std::move(how)), auth(std::move(users)) {}

  std::string path;
  HttpAnswers answers;
  BasicAuth auth;
  std::mutex mutex;                                                              // of `complaint`
  std::string complaint;                                                         // the first one
  std::unique_ptr<mg_context, void (*)(mg_context*)> context{nullptr, mg_stop};  // ended first: its threads answer

  // Without it, messages go to a file in the current folder.
  static int onMessage(const mg_connection* connection, const char* message) {
    auto* const state = static_cast<State*>(mg_get_user_data(mg_get_context(connection)));
    if (state == nullptr) return 1;
    const std::lock_guard lock(state->mutex);
    if (state->complaint.empty()) state->complaint = message;
    return 1;
  }
  static int onRequest(mg_connection* connection) {
    const mg_request_info* const request = mg_get_request_info(connection);
    auto& state = *static_cast<State*>(request->user_data);
    const std::string_view method = request->request_method;
    constexpr std::string_view kPlain = "text/plain; charset=utf-8";
    const auto header = [connection](const char* name) {
      const char* const value = mg_get_header(connection, name);
      return std::string_view(value == nullptr ? "" : value);
    };
    const Admission admission = state.auth.check(header("Authorization"));
    if (admission == Admission::Refused)
      return respond(connection, "401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"faultline\"", kPlain,
                     "A name and a password are needed.\n");
    if (admission == Admission::TryLater)
      return respond(connection, "429 Too Many Requests\r\nRetry-After: 5", kPlain,
                     "Other passwords are being checked.\n");
    if (method != "GET" && method != "HEAD")
      return respond(connection, "405 Method Not Allowed", kPlain, "Only GET is answered.\n");
    const char* const path = request->local_uri;  // null for "GET *"
    const auto answer = path == nullptr ? std::nullopt : state.answers(path, header("Accept"));
    if (!answer) return respond(connection, "404 Not Found", kPlain, "The numbers are at " + state.path + ".\n");
    return respond(connection, "200 OK", answer->type, answer->body);
  }
};

Result<HttpServer> HttpServer::start(const HttpAddress& address, std::string path, HttpAnswers answers,
                                     Protection protection) {
  auto state = makeHidden<State>(std::move(path), std::move(answers), std::move(protection.users));
  if (protection.tls && mg_check_feature(MG_FEATURES_TLS) == 0)
    return fail("This system's civetweb was built without TLS.");
  if (protection.tls) {
    provideOpenSsl();
    if ((mg_init_library(MG_FEATURES_TLS) & MG_FEATURES_TLS) == 0)
      return fail("TLS needs OpenSSL, which civetweb does not find on this system. Install OpenSSL 3.");
  }
  const std::string place = fmt::format("{}:{}", address.host, address.port);
  const std::vector<std::string> options = optionsOf(place + (protection.tls ? "s" : ""), protection.tls);
  std::vector<const char*> words;
  words.reserve(options.size() + 1);
  for (const std::string& option : options) words.push_back(option.c_str());
  words.push_back(nullptr);
  mg_callbacks callbacks{};
  callbacks.begin_request = State::onRequest;
  callbacks.log_message = State::onMessage;
  state->context.reset(mg_start(&callbacks, state.get(), words.data()));
  if (!state->context) return fail(fmt::format("Nothing can listen on {}: {}.", place, state->complaint));
  return HttpServer(std::move(state));
}

}  // namespace faultline
