// The subcommands: each adds its options and help to the parser, and sets `run` when it was the one asked for.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "app/cli/moment_writer.h"
#include "core/base/units.h"

namespace faultline {

// Options that come before the subcommand.
struct CommonOptions {
  std::filesystem::path collector;  // empty: looked for beside this program
  bool demo = false;
};

struct Commands {
  CLI::App app;
  std::shared_ptr<CommonOptions> common = std::make_shared<CommonOptions>();
  std::function<int()> run;
};

void addTop(Commands& commands);
void addSnapshot(Commands& commands);
void addRecord(Commands& commands);
void addExport(Commands& commands);
void addDoctor(Commands& commands);

// An option that takes a duration of at least `least` and at most `most`.
CLI::Option* addDuration(CLI::App& app, const std::string& names, Nanoseconds& value, Nanoseconds least,
                         Nanoseconds most, const std::string& help);
CLI::Option* addInterval(CLI::App& app, Nanoseconds& value);
CLI::Option* addFormat(CLI::App& app, DataFormat& value);

}  // namespace faultline
