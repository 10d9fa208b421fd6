#include "app/cli/serve/basic_auth.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "platform/host/secrets/password.h"

using namespace faultline;

namespace {

// "secret"
const std::string kSecretHash = "$2b$04$abcdefghijklmnopqrstuu2r9OfJnfCsdneAXAGHnS4UpFFP8WIrW";

}  // namespace

TEST_CASE("Passwords are hashed as others hash them") {
  CHECK(bcrypt("secret", kSecretHash) == kSecretHash);
  CHECK(bcrypt("secret", "$2y$10$abcdefghijklmnopqrstuu") ==
        "$2y$10$abcdefghijklmnopqrstuuqflPDzB6gcMhKa1rZqKiun2YGL5sa2u");
  CHECK(bcrypt("secret", "$2a$05$abcdefghijklmnopqrstuu") ==
        "$2a$05$abcdefghijklmnopqrstuuOQiyCxlgf/oeuTqixKmWdcYUh4Hjl0a");
  CHECK(bcrypt("secret", "").empty());
  CHECK(bcrypt(std::string(10000, 'a'), kSecretHash).empty());
  CHECK(bcryptSetting(4) != bcryptSetting(4));
  CHECK(bcrypt("secret", bcryptSetting(4)).size() == kSecretHash.size());
  CHECK(equalSecrets("abc", "abc"));
  CHECK_FALSE(equalSecrets("abc", "abd"));
  CHECK_FALSE(equalSecrets("abc", "abcd"));
}

TEST_CASE("A user is admitted with the right name and password alone, the second time too") {
  BasicAuth auth({{"alice", kSecretHash}});
  for (int turn = 0; turn < 2; ++turn) {
    CHECK(auth.check("Basic YWxpY2U6c2VjcmV0") == Admission::Admitted);  // alice:secret
    CHECK(auth.check("bASIC YWxpY2U6c2VjcmV0") == Admission::Admitted);
    CHECK(auth.check("Basic YWxpY2U6c2VjcmV0eA==") == Admission::Refused);  // alice:secretx
    CHECK(auth.check("Basic YWxpY2U6c2VjcmV0AA==") == Admission::Refused);  // alice:secret and a NUL
    CHECK(auth.check("Basic Ym9iOnNlY3JldA==") == Admission::Refused);      // bob:secret
    CHECK(auth.check("Basic YWxpY2U6") == Admission::Refused);              // alice:
    CHECK(auth.check("Basic OnNlY3JldA==") == Admission::Refused);          // :secret
    CHECK(auth.check("Basic Og==") == Admission::Refused);                  // :
  }
  for (const char* const damaged : {"", "Basic", "Basic ", "Bearer YWxpY2U6c2VjcmV0", "Basic YWxpY2U6c2VjcmV",
                                    "Basic YWxpY2U6c2VjcmV0 ", "Basic ====", "Basic \xff\xff\xff\xff"})
    CHECK(auth.check(damaged) == Admission::Refused);
  CHECK(auth.check("Basic " + std::string(8000, 'A')) == Admission::Refused);
}

TEST_CASE("Without users everybody is admitted") {
  CHECK(BasicAuth({}).check("") == Admission::Admitted);
}

TEST_CASE("Base64 is decoded whole or not at all") {
  CHECK(fromBase64("Zm9vYmFy") == "foobar");
  CHECK(fromBase64("Zm9vYg==") == "foob");
  CHECK(fromBase64("Zm9vYmE=") == "fooba");
  for (const char* const damaged : {"Zm9", "Zm9v=", "Zm=v", "=", "Zm9vYmFy\n", "Zm9-"})
    CHECK(fromBase64(damaged).empty());
}
