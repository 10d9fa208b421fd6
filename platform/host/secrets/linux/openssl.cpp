#include "platform/host/secrets/openssl.h"

#include <dlfcn.h>

#include "platform/host/programs.h"

namespace faultline {

void provideOpenSsl() {
  for (const char* const name : {"libfaultline-opencrypto.so", "libfaultline-openssl.so"})
    if (const auto library = findProgram(executableFolder(), name))
      static_cast<void>(dlopen(library->c_str(), RTLD_NOW | RTLD_LOCAL));  // until the program ends
}

}  // namespace faultline
