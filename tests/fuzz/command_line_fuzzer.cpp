// The collector's command line: with capabilities, whoever starts it chooses these words. One in each line of the
// input.
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "app/collector/command_line.h"

namespace {

using namespace faultline;

void demand(bool condition) {
  if (!condition) std::abort();
}

std::vector<std::string> words(std::string_view text) {
  std::vector<std::string> result{"faultline-collector"};
  constexpr std::size_t kMostWords = 64;
  while (!text.empty() && result.size() < kMostWords) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    result.emplace_back(text.substr(0, end).substr(0, text.find('\0')));  // a word ends where C says so
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

void demandSound(const CollectorCommand& command) {
  demand(command.sweep.interval >= std::chrono::milliseconds(10) && command.sweep.interval <= std::chrono::minutes(1));
  demand(!command.synthetic || (command.synthetic->processes > 0 && command.synthetic->processes <= 100'000));
  if (!command.watch) return;
  demand(command.watch->pid > 0 && command.watch->pid <= 1U << 22U);
  demand(command.watch->assumedRate <= 1000);
  demand(command.watch->patience >= Nanoseconds(0) && command.watch->sampleAfter >= Nanoseconds(0));
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static std::ostringstream unseen;
  unseen.str({});
  auto* const output = std::cout.rdbuf(unseen.rdbuf());
  auto* const errors = std::cerr.rdbuf(unseen.rdbuf());
  const auto line = words({reinterpret_cast<const char*>(data), size});
  std::vector<const char*> arguments;
  for (const std::string& word : line) arguments.push_back(word.c_str());
  const auto command = parseCommandLine(static_cast<int>(arguments.size()), arguments.data());
  std::cout.rdbuf(output);
  std::cerr.rdbuf(errors);
  if (const auto* const parsed = std::get_if<CollectorCommand>(&command)) {
    demandSound(*parsed);
  } else {
    const int code = std::get<int>(command);
    demand((code == 0 || code == 2) && !unseen.str().empty());  // help, or what is wrong
  }
  return 0;
}
