#include <algorithm>

#include "app/cli/usage/tree.h"

namespace faultline {
namespace {

using Words = std::vector<std::string>;

std::string joined(const Words& words, std::string_view between) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : std::string(between)) + word;
  return out;
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

// In single quotes, for bash and zsh.
std::string quoted(const std::string& text) {
  return "'" + replaced(text, "'", "'\\''") + "'";
}

bool isFile(const std::string& placeholder) {
  return placeholder == "FILE";
}

std::string helpOf(const CLI::Option& option) {
  return replaced(option.get_description(), "\n", " ");
}

Words wordsAfter(const CLI::App& app) {
  Words words;
  for (const CLI::App* command : commandsOf(app)) words.push_back(command->get_name());
  for (const CLI::Option* positional : positionalsOf(app)) {
    const Words choices = choicesOf(*positional);
    words.insert(words.end(), choices.begin(), choices.end());
  }
  return words;
}

void forEachCommand(const CLI::App& app, const std::string& path, const auto& visit) {
  visit(app, path);
  for (const CLI::App* command : commandsOf(app))
    forEachCommand(*command, path.empty() ? command->get_name() : path + " " + command->get_name(), visit);
}

constexpr const char* kBashHead = R"(# Completion of faultline-cli for bash, made from its commands.
_faultline_cli() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} path= i options= words=
  COMPREPLY=()
  if [ "$cur" = = ]; then cur=
  elif [ "$prev" = = ]; then prev=${COMP_WORDS[COMP_CWORD-2]}
  fi
  for ((i = 1; i < COMP_CWORD; ++i)); do
    if [ "${COMP_WORDS[i]}" = -- ]; then
      [ "$prev" != -- ] || COMPREPLY=($(compgen -c -- "$cur"))
      return
    fi
    case "$path/${COMP_WORDS[i]}" in
)";

std::string bash(const CLI::App& app) {
  std::string text = kBashHead;
  std::string values = "  case \"$path/$prev\" in\n";
  std::string lists = "  case $path in\n";
  forEachCommand(app, "", [&](const CLI::App& command, const std::string& path) {
    for (const CLI::App* next : commandsOf(command)) {
      const std::string key = path + "/" + next->get_name();
      text += "      " + quoted(key) +
              ") path=" + quoted(path.empty() ? next->get_name() : path + " " + next->get_name()) + " ;;\n";
    }
    Words options;
    for (const CLI::Option* option : optionsOf(command)) {
      const Words names = namesOf(*option);
      options.insert(options.end(), names.begin(), names.end());
      const std::string placeholder = placeholderOf(*option);
      if (placeholder.empty()) continue;
      Words keys;
      for (const std::string& name : names) keys.push_back(path.empty() ? "*/" + name : quoted(path + "/" + name));
      const Words choices = choicesOf(*option);
      values += "    " + joined(keys, " | ") + ") ";
      if (!choices.empty()) values += "COMPREPLY=($(compgen -W " + quoted(joined(choices, " ")) + " -- \"$cur\"))";
      else if (isFile(placeholder)) values += "COMPREPLY=($(compgen -f -- \"$cur\"))";
      values += "; return ;;\n";
    }
    lists += "    " + quoted(path) + ") options=" + quoted(joined(options, " ")) +
             " words=" + quoted(joined(wordsAfter(command), " ")) + " ;;\n";
  });
  Words common;
  for (const CLI::Option* option : optionsOf(app)) {
    const Words names = namesOf(*option);
    common.insert(common.end(), names.begin(), names.end());
  }
  return text + "    esac\n  done\n" + replaced(values, ") ; return", ") return") + "  esac\n" + lists + "  esac\n" +
         "  [ -z \"$path\" ] || options+=" + quoted(" " + joined(common, " ")) +
         "\n"
         "  case $cur in\n"
         "    -*) COMPREPLY=($(compgen -W \"$options\" -- \"$cur\")) ;;\n"
         "    *) COMPREPLY=($(compgen -W \"$words\" -- \"$cur\")) ;;\n"
         "  esac\n"
         "}\n"
         "complete -o default -F _faultline_cli faultline-cli\n";
}

// A text between brackets or colons of zsh's _arguments.
std::string zshText(std::string text) {
  for (const char* special : {"\\", "[", "]", ":"}) text = replaced(text, special, std::string("\\") + special);
  return text;
}

std::string zshValue(const CLI::Option& option) {
  const std::string placeholder = placeholderOf(option);
  if (placeholder.empty()) return {};
  const Words choices = choicesOf(option);
  const std::string action = !choices.empty() ? "(" + joined(choices, " ") + ")" : isFile(placeholder) ? "_files" : "";
  return ":" + zshText(placeholder) + ":" + action;
}

std::string zshFunction(const std::string& path) {
  return "_faultline_cli" + (path.empty() ? "" : "_" + replaced(path, " ", "_"));
}

std::string zshOptions(const CLI::App& app) {
  std::string text;
  for (const CLI::Option* option : optionsOf(app)) {
    const Words names = namesOf(*option);
    const std::string described = quoted("[" + zshText(helpOf(*option)) + "]" + zshValue(*option));
    text += names.size() == 1 ? "    " + names.front() + described + " \\\n"
                              : "    " + quoted("(" + joined(names, " ") + ")") + "{" + joined(names, ",") + "}" +
                                    described + " \\\n";
  }
  return text;
}

std::string zsh(const CLI::App& app) {
  std::string text = "#compdef faultline-cli\n# Completion of faultline-cli for zsh, made from its commands.\n";
  forEachCommand(app, "", [&](const CLI::App& command, const std::string& path) {
    const auto next = commandsOf(command);
    text += "\n" + zshFunction(path) + "() {\n";
    if (!next.empty()) {
      text += "  local state\n  local -a commands=(\n";
      for (const CLI::App* one : next)
        text += "    " + quoted(one->get_name() + ":" + zshText(one->get_description())) + "\n";
      text += "  )\n";
    }
    text += std::string("  _arguments") + (next.empty() ? "" : " -C") + " \\\n" + zshOptions(command);
    if (!path.empty()) text += zshOptions(app);
    if (!next.empty()) {
      text += "    '1: :->command' '*:: :->rest'\n  case $state in\n    command) _describe command commands ;;\n";
      text += "    rest)\n      case $words[1] in\n";
      for (const CLI::App* one : next)
        text += "        " + one->get_name() + ") " +
                zshFunction(path.empty() ? one->get_name() : path + " " + one->get_name()) + " ;;\n";
      text += "        *) _normal ;;\n      esac ;;\n  esac\n}\n";
      return;
    }
    const Words words = wordsAfter(command);
    if (takesProgram(command)) text += "    '*:: :_normal'\n}\n";
    else if (!words.empty()) text += "    '*: :(" + joined(words, " ") + ")'\n}\n";
    else text += std::string(positionalsOf(command).empty() ? "    && return" : "    '*: :_files'") + "\n}\n";
  });
  return text + "\n_faultline_cli \"$@\"\n";
}

std::string fishText(const std::string& text) {
  return "'" + replaced(replaced(text, "\\", "\\\\"), "'", "\\'") + "'";
}

std::string fish(const CLI::App& app) {
  std::string text = "# Completion of faultline-cli for fish, made from its commands.\n";
  forEachCommand(app, "", [&](const CLI::App& command, const std::string& path) {
    std::string when;
    for (std::size_t at = 0; at < path.size();) {
      const std::size_t end = std::min(path.find(' ', at), path.size());
      when += std::string(when.empty() ? "" : "; and ") + "__fish_seen_subcommand_from " + path.substr(at, end - at);
      at = end + 1;
    }
    const std::string begin = "complete -c faultline-cli";
    const std::string condition = path.empty() ? "" : " -n " + fishText(when);
    for (const CLI::App* next : commandsOf(command))
      text += begin + (path.empty() ? " -n __fish_use_subcommand -f" : condition) + " -a " + next->get_name() + " -d " +
              fishText(next->get_description()) + "\n";
    for (const CLI::Option* positional : positionalsOf(command))
      if (const Words choices = choicesOf(*positional); !choices.empty())
        text += begin + condition + " -f -a " + fishText(joined(choices, " ")) + "\n";
    for (const CLI::Option* option : optionsOf(command)) {
      text += begin + condition;
      for (const std::string& name : option->get_snames()) text += " -s " + name;
      for (const std::string& name : option->get_lnames()) text += " -l " + name;
      const Words choices = choicesOf(*option);
      const std::string placeholder = placeholderOf(*option);
      if (!choices.empty()) text += " -x -a " + fishText(joined(choices, " "));
      else if (isFile(placeholder)) text += " -r -F";
      else if (!placeholder.empty()) text += " -x";
      text += " -d " + fishText(helpOf(*option)) + "\n";
    }
  });
  return text;
}

}  // namespace

std::vector<UsageFile> completions(const CLI::App& app) {
  return {{"faultline-cli", bash(app)}, {"_faultline-cli", zsh(app)}, {"faultline-cli.fish", fish(app)}};
}

}  // namespace faultline
