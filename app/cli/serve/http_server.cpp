#include "app/cli/serve/http_server.h"

#include <civetweb.h>
#include <fmt/format.h>

#include <array>
#include <memory>
#include <mutex>

namespace faultline {
namespace {

constexpr const char* kThreads = "4";
constexpr const char* kPatienceMs = "5000";  // with a client that sends or reads nothing
constexpr const char* kMostRequestBytes = "8192";
constexpr const char* kMostWaiting = "16";  // connections; the system refuses more

void respond(mg_connection* connection, std::string_view status, std::string_view type, std::string_view body) {
  const bool whole = std::string_view(mg_get_request_info(connection)->request_method) != "HEAD";
  mg_printf(
      connection,
      "HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\nConnection: close\r\nCache-Control: no-store\r\n\r\n",
      std::string(status).c_str(), std::string(type).c_str(), body.size());
  if (whole) mg_write(connection, body.data(), body.size());
}

}  // namespace

struct HttpServer::State {
  std::string path;
  HttpAnswers answers;
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
    const auto& state = *static_cast<const State*>(request->user_data);
    const std::string_view method = request->request_method;
    constexpr std::string_view kPlain = "text/plain; charset=utf-8";
    if (method != "GET" && method != "HEAD") {
      respond(connection, "405 Method Not Allowed", kPlain, "Only GET is answered.\n");
      return 405;
    }
    if (request->local_uri == nullptr || request->local_uri != state.path) {  // null for "GET *"
      respond(connection, "404 Not Found", kPlain, "The numbers are at " + state.path + ".\n");
      return 404;
    }
    const char* const accept = mg_get_header(connection, "Accept");
    const HttpAnswer answer = state.answers(accept == nullptr ? "" : accept);
    respond(connection, "200 OK", answer.type, answer.body);
    return 200;
  }
};

Result<HttpServer> HttpServer::start(const HttpAddress& address, std::string path, HttpAnswers answers) {
  auto state = makeHidden<State>();
  state->path = std::move(path);
  state->answers = std::move(answers);
  const std::string ports = fmt::format("{}:{}", address.host, address.port);
  const std::array options{"listening_ports",
                           ports.c_str(),
                           "num_threads",
                           kThreads,
                           "request_timeout_ms",
                           kPatienceMs,
                           "max_request_size",
                           kMostRequestBytes,
                           "connection_queue",
                           kMostWaiting,
                           "listen_backlog",
                           kMostWaiting,
                           "enable_keep_alive",
                           "no",
                           static_cast<const char*>(nullptr)};
  mg_callbacks callbacks{};
  callbacks.begin_request = State::onRequest;
  callbacks.log_message = State::onMessage;
  auto** const words = const_cast<const char**>(options.data());
  state->context.reset(mg_start(&callbacks, state.get(), words));
  if (!state->context) return fail(fmt::format("Nothing can listen on {}: {}.", ports, state->complaint));
  return HttpServer(std::move(state));
}

}  // namespace faultline
