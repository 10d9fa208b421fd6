// Where libcrypt is missing. There is nothing to serve by TLS or with a password.
#include "platform/host/secrets/memory_file.h"
#include "platform/host/secrets/openssl.h"
#include "platform/host/secrets/password.h"

namespace faultline {

std::string bcryptSetting(unsigned /*cost*/) {
  return {};
}

std::string bcrypt(const std::string& /*password*/, const std::string& /*setting*/) {
  return {};
}

void provideOpenSsl() {}

struct MemoryFile::State {
  std::string path;
};

Result<MemoryFile> MemoryFile::holding(std::string_view /*text*/) {
  return fail("This Faultline was built without libcrypt and holds no file in memory.");
}

const std::string& MemoryFile::path() const {
  return m_state->path;
}

}  // namespace faultline
