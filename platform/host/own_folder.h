// Folders for a user's own locks and sockets.
#pragma once

#include <filesystem>

namespace faultline {

// Whether the folder is this user's, and nobody else may enter it. Not through a symbolic link, which another user
// could turn. On Windows, whether it exists: folders below a profile are the user's own.
[[nodiscard]] bool isOwnFolder(const std::filesystem::path& folder);
// Creates the folder, and folders above it, for this user alone; one that exists already is closed to other users.
// False: it is not this user's.
[[nodiscard]] bool makeOwnFolder(const std::filesystem::path& folder);

}  // namespace faultline
