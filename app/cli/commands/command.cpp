#include "app/cli/commands/command.h"

#include <algorithm>
#include <map>
#include <utility>

#include "core/text/duration.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;
constexpr Nanoseconds kShortestInterval = 10ms;
constexpr Nanoseconds kLongestInterval = 60s;

Nanoseconds durationBetween(const std::string& text, Nanoseconds least, Nanoseconds most) {
  const auto duration = parseDuration(text);
  if (!duration) throw CLI::ValidationError(duration.error().message);
  if (*duration < least || *duration > most)
    throw CLI::ValidationError("'" + text + "' is not between " + durationText(least) + " and " + durationText(most) +
                               ".");
  return *duration;
}

}  // namespace

CLI::Option* addDuration(CLI::App& app, const std::string& names, Nanoseconds& value, Nanoseconds least,
                         Nanoseconds most, const std::string& help) {
  const auto read = [&value, least, most](const std::string& text) { value = durationBetween(text, least, most); };
  return app.add_option_function<std::string>(names, read, help)->type_name("TIME");
}

CLI::Option* addInterval(CLI::App& app, Nanoseconds& value) {
  return addDuration(app, "-i,--interval", value, kShortestInterval, kLongestInterval,
                     "Time between two sweeps, 10ms to 60s (default " + durationText(value) + ")");
}

CLI::Option* addInterval(CLI::App& app, Nanoseconds& value, bool& faster) {
  const auto read = [&value, &faster, usual = value](const std::string& text) {
    faster = text == "auto";
    value = faster ? usual : durationBetween(text, kShortestInterval, kLongestInterval);
  };
  return app
      .add_option_function<std::string>(
          "-i,--interval", read,
          "Time between two sweeps, 10ms to 60s (default " + durationText(value) +
              "), or auto: up to every 50ms while a spike runs, for at most 2 % of a core")
      ->type_name("TIME");
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

void addProgram(CLI::App& app) {
  const auto refuse = [&app](const std::string& word) {
    // The word may be the value of an option that the command does not have, or that option the program's.
    const auto others = app.get_parent()->remaining(true);
    const auto option = std::ranges::find_if(others, [](const std::string& other) { return other.starts_with('-'); });
    throw CLI::ValidationError((option == others.end() ? "" : app.get_name() + " has no option " + *option + ". ") +
                               missingDashesHint(app.get_name(), word));
  };
  app.add_option_function<std::string>("PROGRAM", refuse, "A program and its arguments, after --");
}

void addFrameFiles(CLI::App& app, FrameFileNames& names, FrameOutputs which) {
  bool first = true;
  for (std::size_t i = 0; i < kFrameFormats.size(); ++i) {
    const FrameFormat& format = kFrameFormats[i];
    if (which == (format.callStacks ? FrameOutputs::Frames : FrameOutputs::CallStacks)) continue;
    const std::string help = std::string(format.words) + (std::exchange(first, false) ? "; - is standard output" : "");
    app.add_option("--" + std::string(format.name), names[i], help)->type_name("FILE");
  }
}

Result<FrameFiles> openFiles(const FrameFileNames& names) {
  FrameFiles files;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].empty()) continue;
    if (const auto opened = files.open(names[i], kFrameFormats[i]); !opened) return tl::unexpected(opened.error());
  }
  return files;
}

CLI::Option* addFormat(CLI::App& app, const MomentFormat*& value) {
  std::map<std::string, const MomentFormat*> named;
  std::string help;
  for (const MomentFormat& format : kMomentFormats) {
    named.emplace(format.name, &format);
    help += std::string(help.empty() ? "" : ", ") + std::string(format.name) + " (" + std::string(format.words) + ")";
  }
  value = kMomentFormats.data();
  return app
      .add_option_function<std::string>(
          "-f,--format", [&value, named](const std::string& name) { value = named.at(name); }, help + "; default csv")
      ->check(CLI::IsMember(named))
      ->type_name("FORMAT");
}

}  // namespace faultline
