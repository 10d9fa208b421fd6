#include "app/cli/serve/protection.h"

#include <cerrno>
#include <fstream>
#include <system_error>

#include "core/base/file_name.h"

namespace faultline {
namespace {

constexpr std::size_t kMostBytes = std::size_t{1} << 20U;

Result<std::string> readText(const std::filesystem::path& file) {
  const std::string name = nameInUtf8(file);
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored)) return fail(name + " is a folder.");
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  if (!in) return fail(name + " cannot be read: " + std::generic_category().message(errno) + ".");
  std::string text(kMostBytes + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (in.bad()) return fail(name + " cannot be read.");
  text.resize(static_cast<std::size_t>(in.gcount()));
  if (text.size() > kMostBytes) return fail(name + " is larger than 1 MiB.");
  return text;
}

Result<std::string> readPem(const std::filesystem::path& file, std::string_view kind) {
  auto text = readText(file);
  if (!text) return text;
  const std::string name = nameInUtf8(file);
  if (text->find("-----BEGIN ") == std::string::npos || text->find(std::string(kind) + "-----") == std::string::npos)
    return fail(name + " holds no " + std::string(kind) + " in PEM.");
  if (text->find("ENCRYPTED") != std::string::npos)
    return fail(name + " is encrypted, and nobody can be asked for its password. Name a key without one.");
  return *text + "\n";
}

Result<Tls> loadTls(const TlsFiles& files) {
  const auto certificate = readPem(files.certificate, "CERTIFICATE");
  if (!certificate) return tl::unexpected(certificate.error());
  const auto key = readPem(files.key, "PRIVATE KEY");
  if (!key) return tl::unexpected(key.error());
  if (!files.clientCa.empty())
    if (const auto ca = readPem(files.clientCa, "CERTIFICATE"); !ca) return tl::unexpected(ca.error());
  auto pem = MemoryFile::holding(*certificate + *key);
  if (!pem) return tl::unexpected(pem.error());
  return Tls{std::move(*pem), files.clientCa, files.newest};
}

}  // namespace

Result<Protection> loadProtection(const std::filesystem::path& webConfig) {
  const auto yaml = readText(webConfig);
  if (!yaml) return tl::unexpected(yaml.error());
  auto config = parseWebConfig(*yaml, webConfig.parent_path());
  if (!config) return fail(nameInUtf8(webConfig) + ", " + config.error().message);
  Protection protection{std::nullopt, std::move(config->users)};
  if (!config->tls) return protection;
  auto tls = loadTls(*config->tls);
  if (!tls) return tl::unexpected(tls.error());
  protection.tls.emplace(std::move(*tls));
  return protection;
}

}  // namespace faultline
