#include "app/cli/text/say.h"

#include <fmt/format.h>

#include "app/cli/text/exit_code.h"
#include "core/text/quantity.h"

namespace faultline {

void say(std::string_view line) {
  writeToStandardError(fmt::format("{}\n", line));
}

void sayOverLine(std::string_view line) {
  writeToStandardErrorUnescaped(fmt::format("\r{}\x1b[K", printableName(line)));
}

void sayLeftOut(std::uint64_t processes) {
  if (processes == 0) return;
  say(fmt::format("Up to {} processes are missing in a snapshot: the snapshot was full.", formatCount(processes)));
}

void complain(std::string_view line) {
  writeToStandardError(fmt::format("faultline-cli: {}\n", line));
}

int failed(const Error& error) {
  complain(error.message);
  return ExitCode::kFailure;
}

int failedWrite(const StandardOutput& writer, const Error& error) {
  return writer.readerGone() ? ExitCode::kReaderGone : failed(error);
}

}  // namespace faultline
