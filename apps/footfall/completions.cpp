// footfall completions: what a shell completes after `footfall`, as a script for that shell.
#include <fmt/format.h>

#include "command_tree.hpp"

namespace footfall {
namespace {

std::string words_of(const Command& command) {
  std::string words = fmt::format("{}", fmt::join(command.commands, " "));
  for (const CommandOption& option : command.options) {
    if (!option.positional) words += (words.empty() ? "" : " ") + option.names.back();
  }
  return words;
}

std::string call_of(const Command& command) {
  return command.path.empty() ? "footfall" : "footfall " + command.path;
}

// zsh runs it too, through its bashcompinit.
void print_bash(const std::vector<Command>& commands) {
  fmt::print(
      R"(# Completions of footfall for bash. In ~/.bashrc:  source <(footfall completions bash)
_footfall() {{
  local at=footfall word cur="${{COMP_WORDS[COMP_CWORD]}}" before="${{COMP_WORDS[COMP_CWORD-1]}}" words=""
  for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
    case "$at $word" in
)");
  for (const Command& command : commands) {
    if (!command.path.empty())
      fmt::print("      '{}') at='{}' ;;\n", call_of(command), call_of(command));
  }
  fmt::print("    esac\n  done\n  case \"$at $before\" in\n");
  for (const Command& command : commands) {
    for (const CommandOption& option : command.options) {
      if (option.choices.empty() || option.positional) continue;
      fmt::print("    '{} {}') COMPREPLY=($(compgen -W '{}' -- \"$cur\")); return ;;\n",
                 call_of(command), option.names.back(), fmt::join(option.choices, " "));
    }
  }
  fmt::print("  esac\n  case \"$at\" in\n");
  for (const Command& command : commands) {
    fmt::print("    '{}') words='{}' ;;\n", call_of(command), words_of(command));
  }
  fmt::print(R"(  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
  [[ $cur == -* || ${{#COMPREPLY[@]}} -gt 0 ]] || COMPREPLY=($(compgen -f -- "$cur"))
}}
complete -o filenames -F _footfall footfall
)");
}

void print_zsh(const std::vector<Command>& commands) {
  fmt::print("# In ~/.zshrc, after compinit:  source <(footfall completions zsh)\n"
             "autoload -U +X bashcompinit && bashcompinit\n");
  print_bash(commands);
}

std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + "'";
}

void print_fish(const std::vector<Command>& commands) {
  fmt::print(
      R"(# Completions of footfall for fish: footfall completions fish > ~/.config/fish/completions/footfall.fish
function __footfall_at
  set -l at
  for word in (commandline -opc)[2..-1]
    string match -q -- '-*' $word; or set -a at $word
  end
  test "$argv" = "$at"; and return 0
  test -n "$argv"; and string match -q -- "$argv *" "$at"
end
)");
  for (const Command& command : commands) {
    const std::string where = "'__footfall_at " + command.path + "'";
    for (const std::string& name : command.commands) {
      const std::string below = command.path.empty() ? name : command.path + " " + name;
      const auto found = std::ranges::find(commands, below, &Command::path);
      fmt::print("complete -c footfall -f -n {} -a {} -d {}\n", where, name, quoted(found->text));
    }
    for (const CommandOption& option : command.options) {
      if (option.positional) continue;
      fmt::print("complete -c footfall -n {} -l {}", where, option.names.back().substr(2));
      if (option.names[0].size() == 2) fmt::print(" -s {}", option.names[0].substr(1));
      if (!option.choices.empty()) {
        fmt::print(" -x -a '{}'", fmt::join(option.choices, " "));
      } else if (!option.value.empty()) {
        fmt::print(" -r");
      }
      fmt::print(" -d {}\n", quoted(option.text));
    }
  }
}

}  // namespace

void add_completions_command(CLI::App& app) {
  const auto shell = std::make_shared<std::string>();
  CLI::App* command =
      app.add_subcommand("completions", "Print what a shell needs to complete footfall's words");
  command->add_option("shell", *shell, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  command->footer("Examples:\n  source <(footfall completions bash)\n"
                  "  footfall completions fish > ~/.config/fish/completions/footfall.fish");
  command->callback([&app, shell] {
    const std::vector<Command> commands = list_commands(app);
    if (*shell == "bash") print_bash(commands);
    if (*shell == "zsh") print_zsh(commands);
    if (*shell == "fish") print_fish(commands);
  });
}

}  // namespace footfall
