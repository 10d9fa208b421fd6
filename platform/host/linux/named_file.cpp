#include "platform/host/linux/named_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <functional>
#include <vector>

#include "core/marks/candidates.h"
#include "core/text/quantity.h"
#include "platform/host/processes.h"

namespace faultline {
namespace {

constexpr std::size_t kShown = 6;

using Files = std::vector<const GameFile*>;
using Test = std::function<bool(const GameFile&)>;

Files fitting(std::span<const GameFile> files, const Test& test) {
  Files found;
  for (const GameFile& file : files)
    if (test(file)) found.push_back(&file);
  return found;
}

// Follows symbolic links. A relative path is relative to the folder of this process, not of the game.
bool leadsTo(const std::string& path, std::uint32_t pid, const GameFile& file) {
  std::error_code ignored;
  const std::string mapped = pathWithin(pid, file.path);
  return std::filesystem::equivalent(path, mapped, ignored) ||
         (path.starts_with('/') && std::filesystem::equivalent(pathWithin(pid, path), mapped, ignored));
}

Files fitting(std::uint32_t pid, std::span<const GameFile> files, const std::string& wanted) {
  if (wanted.empty()) return fitting(files, [](const GameFile& file) { return file.program; });
  if (wanted.find('/') == std::string::npos) {
    Files found = fitting(files, [&](const GameFile& file) { return file.name() == wanted; });
    if (found.empty())
      found = fitting(files, [&](const GameFile& file) { return file.name().starts_with(wanted + ".so"); });
    return found.empty() ? fitting(files, [&](const GameFile& file) { return isLibrary(file.name(), wanted); }) : found;
  }
  Files found = fitting(files, [&](const GameFile& file) { return file.path == wanted; });
  return found.empty() ? fitting(files, [&](const GameFile& file) { return leadsTo(wanted, pid, file); }) : found;
}

std::string listed(const Files& files, bool paths) {
  std::string text;
  for (std::size_t i = 0; i < std::min(files.size(), kShown); ++i) {
    const std::string name = files[i]->name();
    text += (i == 0 ? "" : ", ") + printableName(paths ? std::string_view(files[i]->path) : libraryName(name));
  }
  return files.size() > kShown ? text + fmt::format(" and {} more", files.size() - kShown) : text;
}

// The leading letters of a name in lower case, "libsdl" of "libSDL2-2.0.so", to find similar names.
std::string stem(std::string_view path) {
  std::string letters;
  for (const char c : path.substr(path.rfind('/') + 1)) {
    if (std::isalpha(static_cast<unsigned char>(c)) == 0) break;
    letters += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return letters;
}

}  // namespace

Result<GameFile, NotFound> pickFile(std::uint32_t pid, std::span<const GameFile> files, const std::string& wanted) {
  Files found = fitting(pid, files, wanted);
  // Of a library that the game has replaced by a new build, the old one may still be mapped.
  if (std::ranges::any_of(found, [](const GameFile* file) { return !file->gone(); }))
    std::erase_if(found, [](const GameFile* file) { return file->gone(); });
  if (found.size() == 1) return *found.front();
  const std::string who = nameProcess(pid);
  if (found.size() > 1)
    return tl::unexpected(NotFound{fmt::format("{} has mapped {} files '{}': {}. Name the path of one.", who,
                                               found.size(), printableName(wanted), listed(found, true)),
                                   false});
  const std::string letters = stem(wanted);
  const Files near = fitting(files, [&](const GameFile& file) {
    const std::string other = stem(file.name());
    return letters.size() > 2 && (other.starts_with(letters) || letters.starts_with(other)) && other.size() > 2;
  });
  const std::string hint = near.empty() ? " Mapped are: " + listed(fitting(files, [](auto&) { return true; }), false)
                                        : " Similar names: " + listed(near, false);
  return tl::unexpected(
      NotFound{fmt::format("{} has mapped no code of a file '{}'.{}.", who, printableName(wanted), hint), true});
}

}  // namespace faultline
