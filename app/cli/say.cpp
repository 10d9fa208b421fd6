#include "app/cli/say.h"

#include <fmt/format.h>

#include <cstdio>

#include "app/cli/exit_code.h"
#include "core/text/quantity.h"

namespace faultline {

namespace {

// Whoever does not listen misses it; fmt::print would throw.
void write(const std::string& text) {
  static_cast<void>(std::fwrite(text.data(), 1, text.size(), stderr));
}

}  // namespace

void say(std::string_view line) {
  write(fmt::format("{}\n", line));
}

void sayOverLine(std::string_view line) {
  write(fmt::format("\r{}\x1b[K", line));
}

void sayLeftOut(std::uint64_t processes) {
  if (processes == 0) return;
  say(fmt::format("Up to {} processes are missing in a snapshot: they found no room in it.", formatCount(processes)));
}

void complain(std::string_view line) {
  write(fmt::format("faultline-cli: {}\n", line));
}

int failed(const Error& error) {
  complain(error.message);
  return ExitCode::kFailure;
}

int failedWrite(const StandardOutput& writer, const Error& error) {
  return writer.readerGone() ? ExitCode::kReaderGone : failed(error);
}

}  // namespace faultline
