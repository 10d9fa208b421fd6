// WebConfig: TLS and passwords, from a file of the format that node_exporter's --web.config.file has. A key that this
// Faultline does not support is an error.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace faultline {

struct TlsFiles {
  std::filesystem::path certificate;  // PEM; further certificates of the chain may follow the server's own
  std::filesystem::path key;          // PEM
  std::filesystem::path clientCa;     // PEM; empty: clients need no certificate
  bool newest = false;                // TLS 1.3 alone, not TLS 1.2

  bool operator==(const TlsFiles&) const = default;
};

struct WebUser {
  std::string name;
  std::string hash;  // bcrypt

  bool operator==(const WebUser&) const = default;
};

struct WebConfig {
  std::optional<TlsFiles> tls;
  std::vector<WebUser> users;  // none: everybody may ask

  bool operator==(const WebConfig&) const = default;
};

// The cost of a hash with which one check takes about 2 s.
inline constexpr unsigned kMostBcryptCost = 15;

// `folder`: of the file; its relative paths begin there. Errors name the line.
[[nodiscard]] Result<WebConfig> parseWebConfig(std::string_view yaml, const std::filesystem::path& folder);

}  // namespace faultline
