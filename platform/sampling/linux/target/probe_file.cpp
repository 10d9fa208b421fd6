#include "platform/sampling/linux/target/probe_file.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <optional>

#include "core/parse/number.h"
#include "core/parse/proc_maps.h"
#include "platform/sampling/linux/facts/privilege.h"
#include "platform/sampling/linux/target/function_start.h"
#include "platform/system/posix/regular_file.h"

namespace faultline {
namespace {

constexpr std::size_t kMostMaps = std::size_t{64} << 20U;  // bytes; 65530 mappings take some 8 MB
constexpr const char* kOtherFunctions =
    " Name another function, let the game call faultline_frame() of faultline_frame.h, or assume a rate, such as "
    "--assume 60.";

std::string readMaps(int file) {
  std::string text;
  for (ssize_t count = 1; count > 0 && text.size() < kMostMaps;) {
    const std::size_t size = text.size();
    text.resize(size + (std::size_t{64} << 10U));
    count = pread(file, text.data() + size, text.size() - size, static_cast<off_t>(size));
    text.resize(size + (count > 0 ? static_cast<std::size_t>(count) : 0));
  }
  return text;
}

template <class Visit>
void forEachMapping(std::string_view text, Visit visit) {
  while (const auto line = takeLine(text))
    if (const auto mapping = parseProcMapping(*line)) visit(*mapping);
}

bool isOf(const ProcMapping& mapping, const std::string& file) {
  std::string_view name = mapping.name;
  if (mapping.inode == 0) return false;
  if (name == file || mappedPath(name) == file) return true;
  if (!name.ends_with(kDeletedMark)) return false;
  name.remove_suffix(kDeletedMark.size());
  return name == file || mappedPath(name) == file;
}

// The kernel places probes only into such files.
bool isCode(const ProcMapping& mapping) {
  return mapping.executable && !mapping.writable && !mapping.shared;
}

// The mapping of the byte, preferably of a file that still exists; without its name.
Result<ProcMapping> findCode(const WatchTarget& target, const ProbePoint& point) {
  const std::string text = readMaps(target.maps());
  std::optional<ProcMapping> code;
  bool loaded = false;
  forEachMapping(text, [&](const ProcMapping& mapping) {
    if (!isOf(mapping, point.file)) return;
    loaded = true;
    if (!isCode(mapping) || !mapping.holds(point.offset)) return;
    if (!code || !mapping.name.ends_with(kDeletedMark)) code = mapping;
  });
  const std::string who = "process " + std::to_string(target.pid());
  if (!loaded) return fail(point.file + " is not among the files that " + who + " has loaded." + kOtherFunctions);
  if (!code)
    return fail("Byte " + std::to_string(point.offset) + " of " + point.file + " is not part of the code that " + who +
                " has loaded." + kOtherFunctions);
  code->name = {};
  return *code;
}

// Follows no link out of `root` if the kernel supports that.
UniqueFd openRegular(int root, const std::string& path) {
  open_how how{};
  how.flags = O_PATH | O_CLOEXEC;
  how.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS;
  UniqueFd found(static_cast<int>(syscall(SYS_openat2, root, path.c_str(), &how, sizeof how)));
  if (!found && (errno == ENOSYS || errno == EPERM))
    found = UniqueFd(openat(root, path.c_str() + path.find_first_not_of('/'), O_PATH | O_CLOEXEC));
  return openFound(found);
}

// On some file systems stat() and maps give a file different numbers; so this compares maps with maps.
bool isMappedAs(const UniqueFd& file, const ProcMapping& wanted) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  void* const memory = mmap(nullptr, page, PROT_READ, MAP_PRIVATE, file.get(), 0);
  if (memory == MAP_FAILED) return false;
  const UniqueFd maps(open("/proc/self/maps", O_RDONLY | O_CLOEXEC));
  bool same = false;
  forEachMapping(readMaps(maps.get()), [&](const ProcMapping& own) {
    if (own.begin > reinterpret_cast<std::uintptr_t>(memory) || own.end <= reinterpret_cast<std::uintptr_t>(memory))
      return;
    same = own.inode == wanted.inode && own.deviceMajor == wanted.deviceMajor && own.deviceMinor == wanted.deviceMinor;
  });
  munmap(memory, page);
  return same;
}

// The paths to try: in the game's root, in ours, and the game's program, even if its file has been replaced.
UniqueFd openAsMapped(const WatchTarget& target, const ProbePoint& point, const ProcMapping& code) {
  const UniqueFd root = target.folder().open("root", O_PATH | O_DIRECTORY);
  const UniqueFd ours(open("/", O_PATH | O_DIRECTORY | O_CLOEXEC));
  for (const int folder : {root.get(), ours.get()}) {
    UniqueFd file = openRegular(folder, point.file);
    if (file && isMappedAs(file, code)) return file;
  }
  UniqueFd program = target.folder().open("exe");
  return program && isMappedAs(program, code) ? std::move(program) : UniqueFd();
}

// A probe changes a byte of code, also for a program of other rights that the game may execute, until this collector
// removes it. At the first byte of an instruction the change has no effect; inside an instruction it would.
bool isHarmless(const UniqueFd& file, std::uint64_t offset) {
  struct stat status{};
  if (fstat(file.get(), &status) != 0) return false;
  return isRoot() || status.st_uid == getuid() || beginsFunction(file.get(), offset);
}

}  // namespace

Result<ProbeFile> ProbeFile::open(const WatchTarget& target, const ProbePoint& point) {
  if (!point.file.starts_with('/')) return fail("'" + point.file + "' is not an absolute path." + kOtherFunctions);
  const auto code = findCode(target, point);
  if (!code) return tl::unexpected(code.error());
  if (UniqueFd file = openAsMapped(target, point, *code)) {
    if (!isHarmless(file, point.offset))
      return fail("At byte " + std::to_string(point.offset) + " of " + point.file +
                  " no function begins by the file's symbols and unwind tables, and the file is not yours." +
                  kOtherFunctions);
    return ProbeFile(std::move(file), point, code->begin + (point.offset - code->offset));
  }
  return fail(point.file + " cannot be read, or has been replaced since process " + std::to_string(target.pid()) +
              " loaded it. Restart the game.");
}

Result<ProbePoint> codeAt(const WatchTarget& target, std::uint64_t address) {
  ProbePoint point;
  forEachMapping(readMaps(target.maps()), [&](const ProcMapping& mapping) {
    if (mapping.inode == 0 || address < mapping.begin || address >= mapping.end) return;
    point.file = mapping.name.ends_with(kDeletedMark)
                     ? mappedPath(mapping.name.substr(0, mapping.name.size() - kDeletedMark.size()))
                     : mappedPath(mapping.name);
    point.offset = mapping.offset + (address - mapping.begin);
  });
  if (point.file.empty())
    return fail("Process " + std::to_string(target.pid()) + " has mapped no code of a file at this address.");
  return point;
}

Result<ProbeFile> ProbeFile::openAt(const WatchTarget& target, std::uint64_t address) {
  auto point = codeAt(target, address);
  if (!point) return tl::unexpected(point.error());
  point->name = "the game's own mark";
  return open(target, *point);
}

ProbeFile::ProbeFile(UniqueFd file, const ProbePoint& point, std::uint64_t address)
    : m_file(std::move(file)), m_offset(point.offset), m_address(address), m_name(point.name), m_calls(point.calls) {}

}  // namespace faultline
