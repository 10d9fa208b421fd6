#include "platform/host/linux/symbols/game_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <set>
#include <string_view>
#include <tuple>

#include "core/parse/proc_maps.h"
#include "core/parse/proc_status.h"
#include "platform/host/processes.h"
#include "platform/system/posix/process_folder.h"
#include "platform/system/posix/regular_file.h"

namespace faultline {
namespace {

constexpr std::string_view kMarks = "/memfd:faultline-frames ";
constexpr int kMostOpenFiles = 65536;  // that are looked at

std::string procPath(std::uint32_t pid, const std::string& file) {
  return fmt::format("/proc/{}/{}", pid, ProcessFolder(pid).pathOf(file));
}

GameFile fileOf(const ProcMapping& mapping) {
  GameFile file{.path = mappedPath(mapping.name),
                .device = std::uint64_t{mapping.deviceMajor} << 32U | mapping.deviceMinor,
                .inode = mapping.inode};
  file.deleted = file.path.ends_with(kDeletedMark);
  if (file.deleted) file.path.resize(file.path.size() - kDeletedMark.size());
  return file;
}

// A predicate; empty if the process has no rights that its user has not.
std::string rightsOf(std::uint32_t pid) {
  const auto status = parseProcStatus(ProcessFolder(pid).readOfProcess("status"));
  const auto changes = [](const ProcIds& ids) { return ids.real != ids.effective; };
  if (!status) return {};
  if (changes(status->user)) return "has the rights of another user (setuid)";
  if (changes(status->userGroup)) return "has the rights of another group (setgid)";
  return status->capabilities != 0 ? "has capabilities" : "";
}

tl::unexpected<Error> cannotLook(std::uint32_t pid, int error) {
  if (error == ENOENT || error == ESRCH) return fail(fmt::format("There is no process {}.", pid));
  struct stat status{};
  if (stat(procPath(pid, "").c_str(), &status) == 0 && status.st_uid != geteuid() && status.st_uid != 0)
    return fail(fmt::format("Process {} belongs to another user. Watch it as that user.", nameProcess(pid)));
  if (const auto rights = rightsOf(pid); !rights.empty())
    return fail(
        fmt::format("Process {} {}: only root may watch it. Run faultline-cli as root, or watch a copy of the "
                    "program: cp(1) leaves these rights out.",
                    nameProcess(pid), rights));
  return fail(fmt::format("Process {} cannot be read: {}. The process may hold privileges of its own.",
                          nameProcess(pid), std::strerror(error)));
}

}  // namespace

std::string programOf(std::uint32_t pid) {
  std::error_code ignored;
  std::string path = std::filesystem::read_symlink(procPath(pid, "exe"), ignored).string();
  if (path.ends_with(kDeletedMark)) path.resize(path.size() - kDeletedMark.size());
  return path;
}

Result<std::vector<GameFile>> readGameFiles(std::uint32_t pid) {
  const ProcessFolder process(pid);
  const auto maps = process ? process.readMaps() : std::nullopt;
  if (!maps) return cannotLook(pid, errno);
  if (maps->empty()) return fail(fmt::format("Process {} has exited, or is part of the kernel.", nameProcess(pid)));
  const std::string program = programOf(pid);
  std::vector<GameFile> files;
  std::set<std::tuple<std::uint64_t, std::uint64_t, std::string>> known;
  for (std::size_t at = 0, end = 0; at < maps->size(); at = end + 1) {
    end = std::min(maps->find('\n', at), maps->size());
    const auto mapping = parseProcMapping(std::string_view(*maps).substr(at, end - at));
    if (!mapping || !mapping->executable || mapping->inode == 0 || !mapping->name.starts_with('/')) continue;
    GameFile file = fileOf(*mapping);
    file.program = file.path == program;
    if (known.emplace(file.inode, file.device, file.path).second) files.push_back(std::move(file));
  }
  return files;
}

std::string pathWithin(std::uint32_t pid, const std::string& path) {
  return procPath(pid, "root") + path;
}

UniqueFd openFile(const std::string& path) {
  return openRegularFile(AT_FDCWD, path);
}

UniqueFd openFile(std::uint32_t pid, const GameFile& file) {
  if (file.program) return openFile(procPath(pid, "exe"));
  UniqueFd opened = openFile(pathWithin(pid, file.path));
  return opened || errno != ENOENT ? std::move(opened) : openFile(file.path);
}

bool holdsFrameMarks(std::uint32_t pid) {
  std::error_code gone;
  std::filesystem::directory_iterator file(procPath(pid, "fd"), gone);
  for (int left = kMostOpenFiles; !gone && left > 0 && file != std::filesystem::directory_iterator();
       file.increment(gone), --left) {
    std::error_code closed;
    if (std::filesystem::read_symlink(file->path(), closed).native().starts_with(kMarks)) return true;
  }
  return false;
}

}  // namespace faultline
