#include "platform/host/own_folder.h"

namespace faultline {

bool isOwnFolder(const std::filesystem::path& folder) {
  std::error_code failed;
  return std::filesystem::is_directory(folder, failed);
}

bool makeOwnFolder(const std::filesystem::path& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  return isOwnFolder(folder);
}

}  // namespace faultline
