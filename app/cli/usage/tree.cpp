#include "app/cli/usage/tree.h"

#include <algorithm>
#include <fstream>

#include "app/cli/usage/narrow.h"
#include "app/cli/usage/suggestion.h"

namespace faultline {
namespace {

class NarrowHelp : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override {
    return narrowed(CLI::Formatter::make_help(app, std::move(name), mode));
  }
};

Result<void> writeFile(const std::filesystem::path& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary);
  out << text;
  if (!out.flush()) return fail(file.string() + " cannot be written.");
  return {};
}

}  // namespace

std::shared_ptr<CLI::FormatterBase> helpFormatter() {
  return std::make_shared<NarrowHelp>();
}

std::string suggestionFor(const CLI::App& app, const std::vector<std::string>& unexpected) {
  if (unexpected.empty()) return {};
  const std::string word = unexpected.front().substr(0, unexpected.front().find('='));
  std::vector<std::string> names;
  const CLI::App* deepest = &app;
  for (auto chosen = app.get_subcommands(); !chosen.empty(); chosen = deepest->get_subcommands())
    deepest = chosen.front();
  for (const CLI::App* at = deepest; at != nullptr; at = at->get_parent()) {
    for (const CLI::Option* option : optionsOf(*at)) {
      const auto own = namesOf(*option);
      names.insert(names.end(), own.begin(), own.end());
    }
  }
  for (const CLI::App* command : commandsOf(*deepest)) names.push_back(command->get_name());
  if (deepest == &app) names.emplace_back("help");
  const std::string near = nearest(word, names);
  return near.empty() ? "" : " Did you mean '" + near + "'?";
}

std::vector<const CLI::App*> commandsOf(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* command) { return !command->get_group().empty(); });
}

std::vector<const CLI::Option*> optionsOf(const CLI::App& app) {
  return app.get_options(
      [](const CLI::Option* option) { return option->nonpositional() && !option->get_group().empty(); });
}

std::vector<const CLI::Option*> positionalsOf(const CLI::App& app) {
  return app.get_options([](const CLI::Option* option) { return option->get_positional(); });
}

std::vector<std::string> namesOf(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

std::vector<std::string> choicesOf(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const std::size_t begin = type.find('{');
  const std::size_t end = type.find('}');
  std::vector<std::string> choices;
  if (begin == std::string::npos || end == std::string::npos) return choices;
  std::string rest = type.substr(begin + 1, end - begin - 1) + ",";
  for (std::size_t comma = rest.find(','); comma != std::string::npos; comma = rest.find(',')) {
    choices.push_back(rest.substr(0, comma));
    rest.erase(0, comma + 1);
  }
  return choices;
}

std::string placeholderOf(const CLI::Option& option) {
  if (option.get_items_expected_max() == 0) return {};
  const std::string type = option.get_type_name();
  const std::string word = type.substr(0, std::min(type.find(':'), type.find('{')));
  const bool function = type.starts_with("NAME|FILE:FUNCTION");  // the one placeholder with a colon
  return function ? "NAME|FILE:FUNCTION" : word.empty() ? "VALUE" : word;
}

bool takesProgram(const CLI::App& app) {
  const auto positionals = positionalsOf(app);
  return std::ranges::any_of(positionals, [](const CLI::Option* option) {
    return option->get_name(true) == "PROGRAM" || option->get_name(true) == "PID";
  });
}

Result<void> writeUsage(const CLI::App& app, const std::filesystem::path& folder) {
  std::error_code failure;
  std::filesystem::create_directories(folder / "man", failure);
  for (const UsageFile& file : completions(app))
    if (const auto written = writeFile(folder / file.name, file.text); !written) return written;
  for (const UsageFile& file : manualPages(app))
    if (const auto written = writeFile(folder / "man" / file.name, file.text); !written) return written;
  return {};
}

}  // namespace faultline
