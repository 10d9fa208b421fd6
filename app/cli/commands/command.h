// The subcommands: each adds its options and help to the parser, and sets `run` when it was the one asked for. For
// those only: CLI11 takes long to compile.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/cli/stream/common_options.h"
#include "app/cli/stream/moment_writer.h"
#include "core/base/units.h"

namespace faultline {

struct Commands {
  CLI::App app;
  std::shared_ptr<CommonOptions> common = std::make_shared<CommonOptions>();
  std::vector<std::string> program;  // and its arguments: what stands after "--"
  bool takesProgram = false;         // the command that was given
  std::function<int()> run;
};

void addTop(Commands& commands);
void addSnapshot(Commands& commands);
void addRecord(Commands& commands);
void addExport(Commands& commands);
void addFrames(Commands& commands);
void addJoin(Commands& commands);
void addDoctor(Commands& commands);

// An option that takes a duration of at least `least` and at most `most`.
CLI::Option* addDuration(CLI::App& app, const std::string& names, Nanoseconds& value, Nanoseconds least,
                         Nanoseconds most, const std::string& help);
CLI::Option* addInterval(CLI::App& app, Nanoseconds& value);
// Throws what the parser's caller catches if two of the files that are named are the same one: it would be neither.
void checkDistinct(std::vector<std::string> files);
// For who has left out the dashes before a program.
[[nodiscard]] std::string programsPlace(const std::string& command, const std::string& program);
CLI::Option* addFormat(CLI::App& app, DataFormat& value);

}  // namespace faultline
