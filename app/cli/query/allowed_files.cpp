#include "app/cli/query/allowed_files.h"

#include <algorithm>
#include <cstdint>
#include <system_error>

#include "core/base/file_name.h"
#include "core/recording/recording.h"
#include "core/text/utf8.h"

namespace faultline {
namespace {

namespace fs = std::filesystem;
constexpr std::size_t kMostSeen = 10'000;
constexpr std::size_t kMostListed = 500;

bool isBelow(const fs::path& path, const fs::path& folder) {
  const auto [whole, part] = std::ranges::mismatch(folder, path);
  return whole == folder.end() && part != path.end();
}

// By its first Hello; null: no recording.
nlohmann::ordered_json heldBy(const fs::path& path) {
  auto file = RecordingFile::open(path);
  while (file) {
    const auto event = file->next();
    if (!event || std::holds_alternative<RecordingEnd>(*event)) break;
    if (const auto* const hello = std::get_if<Hello>(&*event)) return hello->watched ? "frames" : "sweeps";
  }
  return nullptr;
}

}  // namespace

Result<AllowedFiles> AllowedFiles::of(const std::vector<std::string>& names) {
  AllowedFiles files;
  for (const std::string& name : names) {
    std::error_code error;
    const fs::path path = pathFromUtf8(name);
    fs::path whole = fs::canonical(path, error);
    if (error) return fail(name + " cannot be opened: " + error.message() + ".");
    const bool folder = fs::is_directory(whole, error);
    files.m_roots.push_back({path, std::move(whole), folder});
  }
  return files;
}

Result<fs::path> AllowedFiles::find(const std::string& name) const {
  std::error_code error;
  fs::path whole = fs::canonical(pathFromUtf8(name), error);
  const auto has = [&](const Root& root) { return root.folder ? isBelow(whole, root.whole) : whole == root.whole; };
  if (!error && std::ranges::any_of(m_roots, has) && fs::is_regular_file(whole, error)) return whole;
  return fail(validUtf8(name) +
              " is no recording that may be asked: those are the files and folders that 'faultline-cli mcp' was "
              "started with, which the tool recordings lists.");
}

nlohmann::ordered_json AllowedFiles::list() const {
  std::vector<fs::path> names;
  std::size_t seen = 0;
  std::error_code error;
  for (const Root& root : m_roots) {
    if (!root.folder) names.push_back(root.name);
    if (!root.folder) continue;
    fs::recursive_directory_iterator below(root.name, fs::directory_options::skip_permission_denied, error);
    for (; !error && below != fs::recursive_directory_iterator() && ++seen <= kMostSeen; below.increment(error))
      if (below->path().extension() == ".faultline") names.push_back(below->path());
  }
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  auto files = nlohmann::ordered_json::array();
  for (const fs::path& name : names) {
    const auto whole = find(nameInUtf8(name));
    if (!whole || files.size() == kMostListed) continue;
    files.push_back({{"name", validUtf8(nameInUtf8(name))},
                     {"bytes", static_cast<std::uint64_t>(fs::file_size(*whole, error))},
                     {"holds", heldBy(*whole)}});
  }
  return {{"files", files}, {"more", seen > kMostSeen || names.size() > kMostListed}};
}

}  // namespace faultline
