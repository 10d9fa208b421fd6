// The tree of commands and options that the parser accepts, as its help, as completions of shells and as manual pages.
// CLI11 takes long to compile: main.cpp alone includes this header.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace faultline {

// Makes the help of the program, in lines of at most 80 columns. Set the formatter before commands are added.
[[nodiscard]] std::shared_ptr<CLI::FormatterBase> helpFormatter();
// "Did you mean ...?" for the first word that was not expected; empty if no name is near.
[[nodiscard]] std::string suggestionFor(const CLI::App& app, const std::vector<std::string>& unexpected);

struct UsageFile {
  std::string name;
  std::string text;
};
// The completions for bash, zsh and fish, and a manual page for each command. Hidden commands and options are left out.
[[nodiscard]] std::vector<UsageFile> completions(const CLI::App& app);
[[nodiscard]] std::vector<UsageFile> manualPages(const CLI::App& app);
// For the build: both, into the folder.
[[nodiscard]] Result<void> writeUsage(const CLI::App& app, const std::filesystem::path& folder);

// What the parser tells of itself. Choices: the words that an option accepts; empty: any.
[[nodiscard]] std::vector<const CLI::App*> commandsOf(const CLI::App& app);
[[nodiscard]] std::vector<const CLI::Option*> optionsOf(const CLI::App& app);
[[nodiscard]] std::vector<const CLI::Option*> positionalsOf(const CLI::App& app);
[[nodiscard]] std::vector<std::string> namesOf(const CLI::Option& option);  // with their dashes
[[nodiscard]] std::vector<std::string> choicesOf(const CLI::Option& option);
[[nodiscard]] std::string placeholderOf(const CLI::Option& option);  // "FILE"; empty for a flag
[[nodiscard]] bool takesProgram(const CLI::App& app);                // after --

}  // namespace faultline
