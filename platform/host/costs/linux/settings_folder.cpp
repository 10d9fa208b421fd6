#include "platform/host/costs/settings_folder.h"

#include <cstdlib>

namespace faultline {

std::filesystem::path settingsFolder() {
  const char* const config = std::getenv("XDG_CONFIG_HOME");
  if (config != nullptr && *config == '/') return std::filesystem::path(config) / "faultline";
  const char* const home = std::getenv("HOME");
  if (home == nullptr || *home != '/') return {};
  return std::filesystem::path(home) / ".config" / "faultline";
}

}  // namespace faultline
