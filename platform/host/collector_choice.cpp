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
  if (!child->waitFor(kPatience)) return fail(program.string() + " does not answer.");
  std::array<std::byte, 100> buffer{};
  std::string version(reinterpret_cast<const char*>(buffer.data()), child->readOutput(buffer));
  while (!version.empty() && version.back() <= ' ') version.pop_back();
  return version;
}

// Why not to use the copy; empty if nothing speaks against it.
std::string objection(const std::filesystem::path& granted) {
  std::error_code ignored;
  if (!std::filesystem::exists(granted, ignored)) return "No copy of it holds capabilities.";
  if (!mayExecute(granted)) {
    return "The copy with capabilities, " + granted.string() + ", may be started by its group alone. Who has just " +
           "joined that group has to log in again.";
  }
  const auto version = versionOf(granted);
  if (!version) return "The copy with capabilities cannot be started. " + version.error().message;
  if (*version == FAULTLINE_VERSION) return {};
  return "The copy with capabilities, " + granted.string() + ", is version " + *version +
         ", while this is " FAULTLINE_VERSION ": it has to be granted anew.";
}

}  // namespace

Result<CollectorChoice> chooseCollector(const std::filesystem::path& besideFolder,
                                        const std::filesystem::path& granted) {
  const std::string against = granted.empty() ? "It lies beside this program." : objection(granted);
  if (against.empty())
    return CollectorChoice{.program = granted, .why = "It is the copy that holds capabilities.", .enable = {}};
  auto plain = findCollector(besideFolder);
  if (!plain) return tl::unexpected(plain.error());
  if (granted.empty()) return CollectorChoice{.program = std::move(*plain), .why = against, .enable = {}};
  if (runsAsRoot())
    return CollectorChoice{
        .program = std::move(*plain), .why = "Root starts it: a grant would add nothing.", .enable = {}};
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
