#include "platform/host/collector_choice.h"

#include <array>
#include <string_view>

#include "platform/host/child_process.h"
#include "platform/host/programs.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;
constexpr Nanoseconds kPatience = 2s;

Result<std::string> versionOf(const std::filesystem::path& program) {
  auto child = ChildProcess::start({.program = program,
                                    .arguments = {"--version"},
                                    .output = ChildStream::Pipe,
                                    .errors = ChildStream::Pipe,
                                    .quietInput = true});
  if (!child) return tl::unexpected(child.error());
  if (!child->waitFor(kPatience)) return fail(program.string() + " does not answer --version.");
  std::array<std::byte, 100> buffer{};
  std::string version(reinterpret_cast<const char*>(buffer.data()), child->readOutput(buffer));
  while (!version.empty() && version.back() <= ' ') version.pop_back();
  return version;
}

// Why the copy cannot be used, as a sentence; empty if the copy can be used.
std::string objection(const std::filesystem::path& granted) {
  std::error_code ignored;
  if (!std::filesystem::exists(granted, ignored)) return "No copy with capabilities is installed.";
  if (!mayExecute(granted)) {
    return "Only members of its group may start the copy with capabilities, " + granted.string() +
           ". After joining the group, log in again, or grant again.";
  }
  const auto version = versionOf(granted);
  if (!version) return "The copy with capabilities cannot be started. " + version.error().message;
  if (*version == FAULTLINE_VERSION) return {};
  return "The copy with capabilities, " + granted.string() + ", is version " + *version +
         ", but this program is version " FAULTLINE_VERSION ": grant the capabilities again.";
}

}  // namespace

Result<CollectorChoice> chooseCollector(const std::filesystem::path& besideFolder,
                                        const std::filesystem::path& granted) {
  const std::string against = granted.empty() ? "Installed beside this program." : objection(granted);
  if (against.empty()) return CollectorChoice{.program = granted, .why = "The copy with capabilities.", .enable = {}};
  auto plain = findCollector(besideFolder);
  if (!plain) return tl::unexpected(plain.error());
  if (granted.empty()) return CollectorChoice{.program = std::move(*plain), .why = against, .enable = {}};
  if (runsAsRoot())
    return CollectorChoice{.program = std::move(*plain), .why = "Started by root, who needs no grant.", .enable = {}};
  std::string enable = grantCommand(besideFolder, *plain);
  return CollectorChoice{.program = std::move(*plain), .why = against, .enable = std::move(enable)};
}

std::string grantCommand(const std::filesystem::path& besideFolder, const std::filesystem::path& collector) {
  const auto grant = findProgram(besideFolder, "faultline-grant");
  return grant ? "sudo " + quotedForShell(*grant) + " " + quotedForShell(collector) : std::string();
}

std::string quotedForShell(const std::filesystem::path& path) {
  constexpr std::string_view kPlain = "/._-+,0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  if (path.string().find_first_not_of(kPlain) == std::string::npos) return path.string();
  std::string quoted = "'";
  for (const char c : path.string()) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace faultline
