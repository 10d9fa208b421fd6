#include "platform/host/trial/place.h"

#include <sys/prctl.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <cstdlib>
#include <span>
#include <string_view>

#include "core/base/file_text.h"
#include "core/text/quantity.h"
#include "core/trial/program_kind.h"
#include "platform/host/linux/held_start.h"
#include "platform/host/programs.h"
#include "platform/host/trial/linux/huge_pages.h"

namespace faultline {
namespace {

// A copy, because a mapped file that is rewritten meanwhile ends this program (SIGBUS).
ProgramKind kindOf(const std::filesystem::path& path) {
  constexpr std::uintmax_t kMostBytes = std::uintmax_t{1} << 30U;
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error) || std::filesystem::file_size(path, error) > kMostBytes) return {};
  const std::string bytes = fileText(path).value_or("");
  return programKind(std::as_bytes(std::span(bytes)));
}

Unavailable because(std::string why, std::string enable = {}) {
  return {.why = std::move(why), .enable = std::move(enable)};
}

// Settings that the loader of the program ignores.
void judgeProgram(const std::string& name, const std::filesystem::path& file, const ProgramKind& kind,
                  TrialPlace& place) {
  if (!std::filesystem::exists(file)) return;  // the attempt to start it tells the reason
  const std::string shown = printableName(name);
  if (gainsRights(file)) {
    place.tunables = place.preload =
        because(shown + " gains rights when it is executed, and its loader ignores such settings");
  } else if (kind.form == ProgramKind::Form::Unknown) {
    place.tunables = place.preload = because(shown + " is no program file that Faultline can read");
  } else {
    if (kind.form == ProgramKind::Form::Static)
      place.preload = because(shown + " is linked statically, and no loader adds another malloc");
    if (!kind.readsTunables)
      place.tunables =
          kind.form == ProgramKind::Form::Static
              ? because(shown + " is linked statically and without glibc")
              : because("the loader of " + shown + ", " + printableName(kind.interpreter) + ", is not that of glibc");
  }
}

// The paths in the loader's cache (ldconfig(8)) are strings that end with a zero byte.
std::map<std::string, std::string> installedLibraries(bool wide) {
  std::map<std::string, std::string> found;
  const std::string cache = fileText("/etc/ld.so.cache").value_or("");
  for (const std::string& name : mallocLibraries()) {
    const std::string end = "/" + name + std::string(1, '\0');
    for (std::size_t at = cache.find(end); at != std::string::npos; at = cache.find(end, at + 1)) {
      const std::size_t begin = cache.rfind('\0', at) + 1;
      const std::string path = cache.substr(begin, at + name.size() + 1 - begin);
      const ProgramKind kind = kindOf(path);
      if (kind.form != ProgramKind::Form::Unknown && kind.wide == wide) found.emplace(name, path);
    }
  }
  return found;
}

std::optional<Unavailable> whyNoHugePages() {
  const std::string mode = fileText("/sys/kernel/mm/transparent_hugepage/enabled").value_or("");
  if (mode.empty()) return because("this kernel has no transparent huge pages");
  if (mode.find("[never]") == std::string::npos) return std::nullopt;
  return because("transparent huge pages are switched off",
                 "Type: echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled");
}

// The flag is set in this process for a moment, in which no memory of it is touched.
std::optional<Unavailable> whyNotAdvisedAlone() {
  if (fileText("/sys/kernel/mm/transparent_hugepage/enabled").value_or("").find("[always]") == std::string::npos)
    return because("only advised memory has huge pages here");
  const int before = prctl(PR_GET_THP_DISABLE, 0, 0, 0, 0);
  if (before > 0) return because("this process may have no huge pages");
  if (prctl(PR_SET_THP_DISABLE, 1, kExceptAdvised, 0, 0) != 0) return because("Linux has this setting from 6.18 on");
  prctl(PR_SET_THP_DISABLE, 0, 0, 0, 0);
  return std::nullopt;
}

std::optional<Unavailable> whyNoHugePool() {
  const auto number = [](const char* path) { return std::strtoull(fileText(path).value_or("").c_str(), nullptr, 10); };
  if (number("/proc/sys/vm/nr_hugepages") + number("/proc/sys/vm/nr_overcommit_hugepages") > 0) return std::nullopt;
  return because("the system's pool of huge pages is empty", "Type: sudo sysctl vm.nr_overcommit_hugepages=512");
}

// Faultline's libraries are 64-bit, and made for glibc.
void findOwnLibraries(const std::string& name, const ProgramKind& kind, TrialPlace& place) {
  for (const char* library : {kHeapLibrary, kFreeLibrary}) {
    const auto found = findProgram(executableFolder(), library);
    if (!found) continue;
    if (found->string().find_first_of(" :") != std::string::npos)
      place.ownPreload = because("the loader splits the path of " + std::string(library) + " at blanks and colons");
    else place.libraries.emplace(library, found->string());
  }
  if (kind.form == ProgramKind::Form::Dynamic && (!kind.wide || !kind.readsTunables))
    place.ownPreload = because(printableName(name) + (kind.wide ? " does not use glibc" : " is no 64-bit program"));
}

std::optional<Unavailable> whyNoNodes() {
  if (fileText("/sys/devices/system/node/online").value_or("").find_first_of(",-") == std::string::npos)
    return because("this machine has one memory node");
  if (programFile("numactl").has_parent_path()) return std::nullopt;
  return because("numactl is not installed", "Install numactl.");
}

// 36 for "glibc 2.36"; 0 if unknown.
int glibcMinor() {
  std::array<char, 64> version{};
  int minor = 0;
#ifdef _CS_GNU_LIBC_VERSION
  confstr(_CS_GNU_LIBC_VERSION, version.data(), version.size());
#endif
  const std::string_view text(version.data());
  constexpr std::string_view kBegin = "glibc 2.";
  if (text.starts_with(kBegin)) std::from_chars(text.data() + kBegin.size(), text.data() + text.size(), minor);
  return minor;
}

}  // namespace

TrialPlace anyTrialPlace() {
  return {};
}

TrialPlace trialPlace(const std::string& program) {
  TrialPlace place{.hugePages = whyNoHugePages(),
                   .adviceAlone = whyNotAdvisedAlone(),
                   .hugePool = whyNoHugePool(),
                   .nodes = whyNoNodes(),
                   .glibcMinor = glibcMinor()};
  std::string name = program;
  std::filesystem::path file = programFile(name);
  ProgramKind kind = kindOf(file);
  constexpr int kMostScripts = 4;  // as the kernel
  for (int i = 0; i < kMostScripts && kind.form == ProgramKind::Form::Script; ++i) {
    name = kind.interpreter;
    file = programFile(name);
    kind = kindOf(file);
  }
  judgeProgram(name, file, kind, place);
  place.libraries = installedLibraries(kind.wide);
  findOwnLibraries(name, kind, place);
  return place;
}

}  // namespace faultline
