// Protection: TLS and passwords, with the contents of the files that a WebConfig names.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/serve/web_config.h"
#include "core/base/result.h"
#include "platform/host/secrets/memory_file.h"

namespace faultline {

struct Tls {
  MemoryFile pem;                  // certificate, chain and key, which civetweb reads from one file
  std::filesystem::path clientCa;  // as in TlsFiles
  bool newest = false;
};

struct Protection {
  std::optional<Tls> tls;
  std::vector<WebUser> users;
};

// Reads the file, and the certificate and the key that it names. Errors name the file and the line.
[[nodiscard]] Result<Protection> loadProtection(const std::filesystem::path& webConfig);

}  // namespace faultline
