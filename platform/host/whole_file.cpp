#include "platform/host/whole_file.h"

#include <chrono>
#include <fstream>
#include <string>
#include <system_error>

#include "core/base/file_name.h"
#include "platform/host/processes.h"

namespace faultline {
namespace {

// A draft is renamed within milliseconds.
constexpr auto kAbandoned = std::chrono::minutes(1);

std::filesystem::path draftOf(const std::filesystem::path& file) {
  std::filesystem::path draft = file;
  draft += "." + std::to_string(ownProcess());
  return draft;
}

void removeAbandonedDrafts(const std::filesystem::path& file) {
  const std::u8string start = file.filename().u8string() + u8".";
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
  std::error_code error;
  for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    const std::u8string name = at->path().filename().u8string();
    if (!name.starts_with(start) || name.find_first_not_of(u8"0123456789", start.size()) != std::u8string::npos)
      continue;
    std::error_code gone;
    const auto written = std::filesystem::last_write_time(at->path(), gone);
    if (!gone && std::filesystem::file_time_type::clock::now() - written > kAbandoned)
      std::filesystem::remove(at->path(), gone);
  }
}

}  // namespace

Result<void> replaceFile(const std::filesystem::path& file, std::string_view text) {
  removeAbandonedDrafts(file);
  const std::filesystem::path draft = draftOf(file);
  std::ofstream out(draft, std::ios::binary | std::ios::trunc);
  out << text;
  out.close();
  std::error_code error;
  if (out) std::filesystem::rename(draft, file, error);
  if (out && !error) return {};
  const std::string why = error ? ": " + error.message() : "";
  std::filesystem::remove(draft, error);
  return fail(nameInUtf8(file) + " cannot be written" + why + ".");
}

}  // namespace faultline
