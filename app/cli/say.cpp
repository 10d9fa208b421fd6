#include "app/cli/say.h"

#include <fmt/format.h>

#include <cstdio>

#include "app/cli/exit_code.h"

namespace faultline {

void say(std::string_view line) {
  fmt::print(stderr, "{}\n", line);
}

void complain(std::string_view line) {
  fmt::print(stderr, "faultline-cli: {}\n", line);
}

int failed(const Error& error) {
  complain(error.message);
  return ExitCode::kFailure;
}

int failedWrite(const StandardOutput& writer, const Error& error) {
  return writer.readerGone() ? ExitCode::kReaderGone : failed(error);
}

}  // namespace faultline
