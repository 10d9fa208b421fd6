#include "app/cli/serve/web_config.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

using namespace faultline;

namespace {

const std::string kAnyHash = "$2y$10$abcdefghijklmnopqrstuuqflPDzB6gcMhKa1rZqKiun2YGL5sa2u";
const std::string kTls = "tls_server_config:\n  cert_file: server.pem\n  key_file: /etc/keys/server.key\n";

std::string whyNot(const std::string& yaml) {
  const auto config = parseWebConfig(yaml, "/etc/faultline");
  return config ? "" : config.error().message;
}

}  // namespace

TEST_CASE("A web config as node_exporter's is read, and its relative paths begin at its folder") {
  const auto config = parseWebConfig(
      kTls + "  client_auth_type: RequireAndVerifyClientCert\n  client_ca_file: 'ca.pem'\n" +
          "  min_version: TLS13\nbasic_auth_users:\n  alice: " + kAnyHash + "\n  \"böb\": '" + kAnyHash + "'\n",
      "/etc/faultline");
  REQUIRE(config);
  CHECK(config->tls == TlsFiles{"/etc/faultline/server.pem", "/etc/keys/server.key", "/etc/faultline/ca.pem", true});
  CHECK(config->users == std::vector<WebUser>{{"alice", kAnyHash}, {"böb", kAnyHash}});

  CHECK(parseWebConfig("# nothing yet\n", "/etc") == WebConfig{});
  const auto plain = parseWebConfig(kTls + "  client_auth_type: NoClientCert\n  min_version: TLS12\n", "");
  REQUIRE(plain);
  CHECK(plain->tls == TlsFiles{"server.pem", "/etc/keys/server.key", "", false});
}

TEST_CASE("A key of a web config that is not supported is named with its line") {
  CHECK(whyNot("http_server_config:\n  http2: false\n")
            .starts_with("line 1: Faultline does not support http_server_config"));
  CHECK(whyNot(kTls + "  cipher_suites: []\n").starts_with("line 4: Faultline does not support cipher_suites"));
  CHECK(whyNot(kTls + "  min_version: TLS10\n").starts_with("line 4: Faultline does not support min_version TLS10"));
  CHECK(whyNot(kTls + "  client_auth_type: RequestClientCert\n").starts_with("line 4: Faultline does not support"));
  CHECK(whyNot(kTls + "  \"a\\x1b[2J\": 1\n").find('\x1b') == std::string::npos);
  CHECK(whyNot(kTls + kTls).starts_with("line 4: tls_server_config stands twice"));
  CHECK(whyNot("basic_auth_users:\n  a: " + kAnyHash + "\n  a: " + kAnyHash).starts_with("line 3: a stands twice"));
}

TEST_CASE("A web config that protects less than it seems to is an error") {
  CHECK(whyNot("tls_server_config:\n").starts_with("line 1"));
  CHECK(whyNot("basic_auth_users: {}\n").starts_with("line 1"));
  CHECK(whyNot("tls_server_config:\n  cert_file: a.pem\n").starts_with("line 1: tls_server_config needs"));
  CHECK(whyNot(kTls + "  client_ca_file: ca.pem\n").starts_with("line 1: client_ca_file and"));
  CHECK(whyNot(kTls + "  client_auth_type: RequireAndVerifyClientCert\n").starts_with("line 1: client_ca_file and"));
  for (const char* const nothing : {"", "~", "null", "\"\"", "[a.pem]", "{a: b}", "!!int 7", "\"a\\0b\""})
    CHECK(whyNot("tls_server_config:\n  key_file: b\n  cert_file: " + std::string(nothing))
              .starts_with("line 3: cert_file"));
}

TEST_CASE("The hash of a password is bcrypt, of a cost that can be paid") {
  const auto withHash = [](const std::string& hash) { return whyNot("basic_auth_users:\n  alice: " + hash); };
  CHECK(withHash(kAnyHash).empty());
  for (const std::string& bad :
       {std::string("secret"), kAnyHash.substr(0, 59), kAnyHash + "a", "$1" + kAnyHash.substr(2),
        kAnyHash.substr(0, 59) + "!", "$2y$1x$" + kAnyHash.substr(7), "$2y$10." + kAnyHash.substr(7)})
    CHECK(withHash("'" + bad + "'").starts_with("line 2: The password of alice is no bcrypt hash"));
  CHECK(withHash("$2y$31$" + kAnyHash.substr(7)).starts_with("line 2: The hash of alice has cost 31"));
  CHECK(withHash("$2y$03$" + kAnyHash.substr(7)).starts_with("line 2: The hash of alice has cost 3."));
  for (const char* const name : {"\"\"", "\"a:b\"", "\"a\\0\""})
    CHECK(whyNot("basic_auth_users:\n  " + std::string(name) + ": " + kAnyHash).starts_with("line 2"));
}

TEST_CASE("Damaged YAML is told with its line, whatever its bytes") {
  CHECK(whyNot(kTls + "  key_file: [\n").find("This is no YAML") != std::string::npos);
  CHECK(whyNot("- 1\n").starts_with("line 1"));
  CHECK(whyNot("just text").starts_with("line 1"));
  CHECK(whyNot(kTls + "---\nbasic_auth_users: {}\n").starts_with("line 5: A second document"));
  CHECK(whyNot("a: *nowhere\n").starts_with("line 1"));
  CHECK(whyNot("&a tls_server_config: *a\n").starts_with("line 1"));
  CHECK(whyNot("? [a]\n: 1\n").starts_with("line 1: A key of the file is no text"));
  CHECK(whyNot("a: \xff\n").starts_with("line 1"));
  CHECK(whyNot(std::string("a: \0", 4)).starts_with("line 1"));
  CHECK(whyNot(std::string(2000, '[')).find("This is no YAML") != std::string::npos);
  const std::string whole = kTls + "basic_auth_users:\n  alice: " + kAnyHash + "\n";
  for (std::size_t length = 0; length < whole.size(); ++length) static_cast<void>(whyNot(whole.substr(0, length)));
}
