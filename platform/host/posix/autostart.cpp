#include "platform/host/posix/autostart.h"

#include <cstdlib>
#include <fstream>
#include <system_error>

#include "core/base/file_text.h"
#include "platform/host/autostart.h"

namespace faultline {

namespace {

std::filesystem::path entryFile() {
  const char* config = std::getenv("XDG_CONFIG_HOME");
  if (config != nullptr && *config == '/') return std::filesystem::path(config) / "autostart" / "faultline.desktop";
  const char* home = std::getenv("HOME");
  if (home == nullptr || *home == '\0') return {};
  return std::filesystem::path(home) / ".config" / "autostart" / "faultline.desktop";
}

// Exec is unescaped twice, as a desktop-entry string and as a quoted argument; "%" begins a field code.
std::string quotedForExec(const std::string& argument) {
  std::string quoted = "\"";
  for (const char c : argument) {
    if (c == '\\') quoted += R"(\\\\)";
    else if (c == '"' || c == '`' || c == '$') quoted.append(R"(\\)").push_back(c);
    else if (c == '%') quoted += "%%";
    else if (c == '\n') quoted += R"(\n)";
    else quoted += c;
  }
  return quoted + '"';
}

}  // namespace

std::string autostartEntry(const std::filesystem::path& program) {
  return "[Desktop Entry]\n"
         "Type=Application\n"
         "Name=Faultline\n"
         "Comment=Page faults and zeroed pages, live\n"
         "Exec=" +
         quotedForExec(program.string()) +
         " --hidden\n"
         "Icon=faultline\n"
         "X-GNOME-Autostart-enabled=true\n";
}

bool autostartEntryIsOn(std::string_view entry) {
  return entry.find("[Desktop Entry]") != std::string_view::npos &&
         entry.find("\nHidden=true") == std::string_view::npos &&
         entry.find("\nX-GNOME-Autostart-enabled=false") == std::string_view::npos;
}

Result<void> enableAutostart(const std::filesystem::path& program) {
  const std::filesystem::path file = entryFile();
  if (file.empty()) return fail("Faultline cannot start at login: neither XDG_CONFIG_HOME nor HOME is set.");
  std::error_code error;
  std::filesystem::create_directories(file.parent_path(), error);
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out << autostartEntry(program);
  out.close();
  if (!out) return fail("Faultline cannot start at login: " + file.string() + " cannot be written.");
  return {};
}

Result<void> disableAutostart() {
  std::error_code error;
  const std::filesystem::path file = entryFile();
  std::filesystem::remove(file, error);
  if (error) return fail("Faultline still starts at login: " + file.string() + " cannot be removed.");
  return {};
}

bool autostartEnabled() {
  const auto entry = fileText(entryFile());
  return entry && autostartEntryIsOn(*entry);
}

}  // namespace faultline
