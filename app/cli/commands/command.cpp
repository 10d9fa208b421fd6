#include "app/cli/commands/command.h"

#include <algorithm>
#include <map>

#include "core/text/duration.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;
constexpr Nanoseconds kShortestInterval = 10ms;
constexpr Nanoseconds kLongestInterval = 60s;

}  // namespace

CLI::Option* addDuration(CLI::App& app, const std::string& names, Nanoseconds& value, Nanoseconds least,
                         Nanoseconds most, const std::string& help) {
  const auto read = [&value, least, most](const std::string& text) {
    const auto duration = parseDuration(text);
    if (!duration) throw CLI::ValidationError(duration.error().message);
    if (*duration < least || *duration > most)
      throw CLI::ValidationError("'" + text + "' is not between " + durationText(least) + " and " + durationText(most) +
                                 ".");
    value = *duration;
  };
  return app.add_option_function<std::string>(names, read, help)->type_name("TIME");
}

CLI::Option* addInterval(CLI::App& app, Nanoseconds& value) {
  return addDuration(app, "-i,--interval", value, kShortestInterval, kLongestInterval,
                     "Time between two sweeps, 10ms to 60s (default " + durationText(value) + ")");
}

void checkDistinct(std::vector<std::string> files) {
  std::erase(files, std::string());
  std::ranges::sort(files);
  const auto same = std::ranges::adjacent_find(files);
  if (same == files.end()) return;
  throw CLI::ValidationError("Two outputs name " + (*same == "-" ? "standard output" : *same) + ". Give each its own.");
}

std::string missingDashesHint(const std::string& command, const std::string& program) {
  return "Put -- before a program, as in 'faultline-cli " + command + " -- " + program + "'.";
}

CLI::Option* addFormat(CLI::App& app, DataFormat& value) {
  static const std::map<std::string, DataFormat> kNames{
      {"csv", DataFormat::Csv}, {"json", DataFormat::Json}, {"jsonl", DataFormat::JsonLines}};
  return app
      .add_option_function<std::string>(
          "-f,--format", [&value](const std::string& name) { value = kNames.at(name); },
          "csv, json, or jsonl (an object per line); default csv")
      ->check(CLI::IsMember(kNames))
      ->type_name("FORMAT");
}

}  // namespace faultline
