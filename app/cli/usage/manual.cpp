#include <algorithm>
#include <cctype>

#include "app/cli/usage/tree.h"

namespace faultline {
namespace {

// Text of a line: no request of roff, and dashes that can be copied.
std::string roff(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\') out += "\\e";
    else if (c == '-') out += "\\-";
    else out += c;
  }
  if (out.starts_with('.') || out.starts_with('\'')) out.insert(0, "\\&");
  return out;
}

std::string upper(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

std::string wholeName(const CLI::App& app) {
  return app.get_parent() == nullptr ? app.get_name() : wholeName(*app.get_parent()) + " " + app.get_name();
}

std::string pageName(const CLI::App& app) {
  std::string name = wholeName(app);
  std::ranges::replace(name, ' ', '-');
  return name;
}

std::string synopsis(const CLI::App& app) {
  std::string text = ".B " + roff(wholeName(app)) + "\n.RI [ OPTIONS ]\n";
  for (const CLI::Option* positional : positionalsOf(app)) {
    const std::string name = positional->get_name(true);
    if (name == "PROGRAM") text += "[\\-\\- \\fIPROGRAM ARGS\\fR...]\n";
    else if (name == "PID") text += "\\fIPID\\fR | \\-\\- \\fIPROGRAM ARGS\\fR...\n";
    else text += ".I " + roff(name) + (positional->get_items_expected_max() > 1 ? "...\n" : "\n");
  }
  return text;
}

std::string optionText(const CLI::Option& option) {
  std::string text = ".TP\n";
  std::string names;
  for (const std::string& name : namesOf(option)) names += (names.empty() ? "\\fB" : "\\fR, \\fB") + roff(name);
  if (const std::string placeholder = placeholderOf(option); !placeholder.empty()) names += " \\fI" + roff(placeholder);
  text += names + "\\fR\n" + roff(option.get_description()) + "\n";
  std::string choices;
  for (const std::string& choice : choicesOf(option)) choices += (choices.empty() ? "" : ", ") + roff(choice);
  if (!choices.empty()) text += ".br\nOne of: " + choices + ".\n";
  return text;
}

// Paragraphs of the help; indented lines stay as they are.
std::string bodyText(const std::string& help) {
  std::string text;
  bool table = false;
  for (std::size_t at = 0; at < help.size();) {
    const std::size_t end = std::min(help.find('\n', at), help.size());
    const std::string line = help.substr(at, end - at);
    at = end + 1;
    const bool indented = line.starts_with(' ');
    if (indented != table) text += indented ? ".PP\n.nf\n" : ".fi\n";
    table = indented;
    text += line.empty() ? ".PP\n" : roff(line) + "\n";
  }
  return text + (table ? ".fi\n" : "");
}

std::string page(const CLI::App& app) {
  std::string help = app.get_footer();
  std::string examples;
  if (const std::size_t at = help.find("Examples:\n"); at != std::string::npos) {
    examples = help.substr(at + std::string("Examples:\n").size());
    help.erase(at);
  }
  while (help.ends_with('\n')) help.pop_back();
  std::string text = ".\\\" Made from the commands of faultline-cli.\n.TH " + upper(roff(pageName(app))) +
                     " 1 \"\" \"Faultline\" \"User Commands\"\n.SH NAME\n" + roff(pageName(app)) + " \\- " +
                     roff(app.get_description()) + "\n.SH SYNOPSIS\n" + synopsis(app);
  if (!help.empty()) text += ".SH DESCRIPTION\n" + bodyText(help);
  text += ".SH OPTIONS\n";
  for (const CLI::Option* option : positionalsOf(app))
    text += ".TP\n.I " + roff(option->get_name(true)) + "\n" + roff(option->get_description()) + "\n";
  for (const CLI::Option* option : optionsOf(app)) text += optionText(*option);
  text += ".PP\nThe options of\n.BR faultline\\-cli (1)\nmay follow the command, too.\n";
  if (!examples.empty()) text += ".SH EXAMPLES\n" + bodyText(examples);
  text += ".SH SEE ALSO\n.BR faultline\\-cli (1)";
  for (const CLI::App* command : commandsOf(app)) text += ",\n.BR " + roff(pageName(*command)) + " (1)";
  return text + "\n";
}

void addPages(const CLI::App& app, std::vector<UsageFile>& pages) {
  for (const CLI::App* command : commandsOf(app)) {
    pages.push_back({pageName(*command) + ".1", page(*command)});
    addPages(*command, pages);
  }
}

}  // namespace

std::vector<UsageFile> manualPages(const CLI::App& app) {
  std::vector<UsageFile> pages;
  addPages(app, pages);
  return pages;
}

}  // namespace faultline
