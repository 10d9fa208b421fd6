// The subcommands. Each adds its options and help to the parser, and sets `run` when it is chosen. Include this header
// in the subcommands only: CLI11 takes long to compile.
#pragma once

#include <CLI/CLI.hpp>
#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/cli/frames/files.h"
#include "app/cli/stream/common_options.h"
#include "app/cli/stream/moment_filter.h"
#include "core/base/units.h"

namespace faultline {

struct Commands {
  CLI::App app;
  std::shared_ptr<CommonOptions> common = std::make_shared<CommonOptions>();
  std::vector<std::string> program;  // the words after "--": a program and its arguments
  bool takesProgram = false;         // the chosen command accepts `program`
  std::function<int()> run;          // the chosen command; returns an ExitCode
};

void addTop(Commands& commands);
void addSnapshot(Commands& commands);
void addRecord(Commands& commands);
void addExport(Commands& commands);
void addFrames(Commands& commands);
void addJoin(Commands& commands);
void addLab(Commands& commands);
void addCalibrate(Commands& commands);
void addTry(Commands& commands);
void addStat(Commands& commands);
void addGuard(Commands& commands);
void addServe(Commands& commands);
void addNow(Commands& commands);
void addSave(Commands& commands);
void addQuery(Commands& commands);
void addMcp(Commands& commands);
CLI::App* addCompare(CLI::App& parent, Commands& commands);
void addDoctor(Commands& commands);
void addElevated(Commands& commands);

// An option that takes a duration from `least` to `most`, both included. A wrong value throws CLI::ValidationError.
CLI::Option* addDuration(CLI::App& app, const std::string& names, Nanoseconds& value, Nanoseconds least,
                         Nanoseconds most, const std::string& help);
CLI::Option* addInterval(CLI::App& app, Nanoseconds& value);
// The same, or the word "auto": that interval, but faster while a spike runs.
CLI::Option* addInterval(CLI::App& app, Nanoseconds& value, bool& faster);
// Throws CLI::ValidationError if two outputs name the same file. Empty names are ignored.
void checkDistinct(std::vector<std::string> files);
// PROGRAM for the help of a command that runs what stands after `--`. A word before it is refused.
void addProgram(CLI::App& app);
// Hint when `--` is missing before PROGRAM.
[[nodiscard]] std::string missingDashesHint(const std::string& command, const std::string& program);
// The file for each of kFrameFormats; empty: none.
using FrameFileNames = std::array<std::string, kFrameFormats.size()>;
// An option for each format that writes frames, that writes call stacks alone, or both.
enum class FrameOutputs : std::uint8_t { Frames, CallStacks, Both };
void addFrameFiles(CLI::App& app, FrameFileNames& names, FrameOutputs which);
[[nodiscard]] Result<FrameFiles> openFiles(const FrameFileNames& names);

using MomentFormat = ExportFormat<MomentExporter>;
CLI::Option* addFormat(CLI::App& app, const MomentFormat*& value);
// Of formats that have names and words; `value` is a name, and the help begins with `about`.
template <class Formats>
void addFormat(CLI::App& app, const Formats& formats, std::string& value, const std::string& about = {}) {
  std::vector<std::string> names;
  std::string help;
  for (const auto& format : formats) {
    names.emplace_back(format.name);
    help += (help.empty() ? "" : ", ") + names.back() + " (" + std::string(format.words) + ")";
  }
  app.add_option("-f,--format", value, about + help)->check(CLI::IsMember(names))->type_name("FORMAT");
}

}  // namespace faultline
