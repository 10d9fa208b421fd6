#include "platform/host/own_folder.h"

#include <sys/stat.h>
#include <unistd.h>

namespace faultline {

bool isOwnFolder(const std::filesystem::path& folder) {
  struct stat status{};
  return lstat(folder.c_str(), &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == geteuid() &&
         (status.st_mode & (S_IRWXG | S_IRWXO)) == 0;
}

bool makeOwnFolder(const std::filesystem::path& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder.parent_path(), failed);
  if (mkdir(folder.c_str(), S_IRWXU) == 0) return isOwnFolder(folder);
  struct stat status{};
  if (lstat(folder.c_str(), &status) != 0 || !S_ISDIR(status.st_mode) || status.st_uid != geteuid()) return false;
  return chmod(folder.c_str(), S_IRWXU) == 0 && isOwnFolder(folder);
}

}  // namespace faultline
