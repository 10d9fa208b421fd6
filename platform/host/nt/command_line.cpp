#include "platform/host/nt/command_line.h"

#include <algorithm>
#include <cctype>

namespace faultline {
namespace {

constexpr std::string_view kNotForBatches{"\"%\r\n\0", 5};

std::size_t backslashesAtEnd(std::string_view text) {
  const std::size_t last = text.find_last_not_of('\\');
  return text.size() - (last == std::string_view::npos ? 0 : last + 1);
}

bool endsIgnoringCase(std::string_view text, std::string_view end) {
  const auto same = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
  return text.size() >= end.size() && std::ranges::equal(text.substr(text.size() - end.size()), end, same);
}

}  // namespace

// A backslash is literal unless a run of backslashes precedes a quote: then each of the run is doubled.
std::string quotedArgument(std::string_view argument) {
  if (!argument.empty() && argument.find_first_of(" \t\n\v\"") == std::string_view::npos) return std::string(argument);
  std::string quoted = "\"";
  for (const char c : argument) {
    if (c == '"') quoted.append(backslashesAtEnd(quoted) + 1, '\\');
    quoted += c;
  }
  quoted.append(backslashesAtEnd(quoted), '\\');
  return quoted + '"';
}

// argv[0] is parsed without escapes, and a file name contains no quote.
std::string commandLine(std::string_view program, const std::vector<std::string>& arguments) {
  std::string line = '"' + std::string(program) + '"';
  for (const std::string& argument : arguments) line += ' ' + quotedArgument(argument);
  return line;
}

bool isBatchFile(std::string_view program) {
  return endsIgnoringCase(program, ".bat") || endsIgnoringCase(program, ".cmd");
}

Result<std::string> batchCommandLine(std::string_view file, const std::vector<std::string>& arguments) {
  std::string line = "cmd.exe /d /e:on /v:off /c \"\"" + std::string(file) + '"';
  for (const std::string& argument : arguments) {
    if (argument.find_first_of(kNotForBatches) != std::string::npos)
      return fail(
          "is a batch file, which cannot receive an argument with a quote, a percent sign or a line break. Start the "
          "program that the batch file starts.");
    line += " \"" + argument + std::string(backslashesAtEnd(argument), '\\') + '"';
  }
  if (file.find_first_of(kNotForBatches) != std::string_view::npos)
    return fail("is a batch file with a quote or a percent sign in its name. Rename the file.");
  return line + '"';
}

}  // namespace faultline
