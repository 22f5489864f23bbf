// footfall help: the help of a command, or all of it as a manual page or as Markdown.
#include <fmt/format.h>

#include <ranges>

#include "command_tree.hpp"
#include "footfall/error.hpp"
#include "footfall/version.hpp"

namespace footfall {
namespace {

struct Options {
  std::vector<std::string> command;
  std::string format = "text";
};

std::string full_name(const Command& command) {
  return command.path.empty() ? "footfall" : "footfall " + command.path;
}

std::string usage(const Command& command) {
  std::string line = full_name(command);
  for (const CommandOption& option : command.options) {
    if (!option.positional) continue;
    line += option.required ? " " + option.names[0] : " [" + option.names[0] + "]";
  }
  return line + (command.commands.empty() ? " [options]" : " COMMAND");
}

// What an option takes and what it is without being given, after its description.
std::string explained(const CommandOption& option) {
  std::string text = option.text;
  if (!option.choices.empty() && text.find(option.choices.back()) == text.npos) {
    text += fmt::format(" ({})", fmt::join(option.choices, ", "));
  }
  if (!option.fallback.empty()) text += fmt::format("; default {}", option.fallback);
  if (option.required) text += "; required";
  return text;
}

// Lines of "Examples:" without their indent, and the lines after them.
std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (const auto part : std::views::split(text, '\n')) {
    const std::string line(part.begin(), part.end());
    const std::size_t start = line.find_first_not_of(' ');
    lines.push_back(start == line.npos ? "" : line.substr(start));
  }
  return lines;
}

// groff takes a leading dot or quote for a request, and a plain minus for a hyphen.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const bool starts_line = out.empty() || out.back() == '\n';
    if (c == '-' || c == '\\') out += '\\';
    if ((c == '.' || c == '\'') && starts_line) out += "\\&";
    out += c == '\\' ? 'e' : c;
  }
  return out;
}

void print_manual(const std::vector<Command>& commands) {
  fmt::print(".TH FOOTFALL 1 \"\" \"footfall {}\" \"User commands\"\n.SH NAME\nfootfall \\- {}\n",
             version, escaped("legged robots on ground that gives way"));
  for (const Command& command : commands) {
    if (command.path.empty()) {
      fmt::print(".SH SYNOPSIS\n.B {}\n.SH COMMANDS\n", escaped(usage(command)));
      continue;
    }
    fmt::print(".SS {}\n{}\n.PP\n.B {}\n", escaped(full_name(command)), escaped(command.text),
               escaped(usage(command)));
    for (const CommandOption& option : command.options) {
      fmt::print(".TP\n.B {}{}\n{}\n", escaped(fmt::format("{}", fmt::join(option.names, ", "))),
                 option.value.empty() || option.positional ? "" : " " + option.value,
                 escaped(explained(option)));
    }
    if (command.footer.empty()) continue;
    fmt::print(".PP\n.nf\n");
    for (const std::string& line : lines_of(command.footer)) fmt::print("{}\n", escaped(line));
    fmt::print(".fi\n");
  }
}

// A cell of a table ends at a bar.
std::string in_cell(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c;
  }
  return out;
}

void print_markdown(const std::vector<Command>& commands) {
  fmt::print("# Command line\n\nMade by `footfall help --format markdown`.\n");
  for (const Command& command : commands) {
    if (command.path.empty()) continue;
    fmt::print("\n## {}\n\n{}.\n\n    {}\n", full_name(command), command.text, usage(command));
    if (command.options.size() > 1) fmt::print("\n| option | meaning |\n|---|---|\n");
    for (const CommandOption& option : command.options) {
      if (option.names.back() == "--help") continue;
      fmt::print("| `{}{}` | {} |\n", fmt::join(option.names, ", "),
                 option.value.empty() || option.positional ? "" : " " + option.value,
                 in_cell(explained(option)));
    }
    if (command.footer.empty()) continue;
    fmt::print("\n");
    for (const std::string& line : lines_of(command.footer)) {
      const bool is_command = line.starts_with("footfall ");
      fmt::print("{}{}\n", is_command ? "    " : "", line.ends_with(':') ? line + "\n" : line);
    }
  }
}

void help(const CLI::App& program, const Options& o) {
  if (o.format != "text") {
    if (!o.command.empty()) {
      throw InputError(fmt::format("--format {} is for all commands: leave '{}' out", o.format,
                                   fmt::join(o.command, " ")));
    }
    const std::vector<Command> commands = list_commands(program);
    return o.format == "man" ? print_manual(commands) : print_markdown(commands);
  }
  std::vector<const char*> words = {"footfall"};
  for (const std::string& word : o.command) words.push_back(word.c_str());
  check_names(program, static_cast<int>(words.size()), words.data());
  const CLI::App* at = &program;
  std::string name = at->get_name();
  for (const std::string& word : o.command) {
    if (at->get_subcommands({}).empty()) {
      throw InputError(fmt::format("'{}' has no commands below it", name));
    }
    at = at->get_subcommand(word);
    name += " " + word;
  }
  // not at->help(), which is that of the command being run
  fmt::print("{}", at->get_formatter()->make_help(at, name, CLI::AppFormatMode::Normal));
}

}  // namespace

void add_help_command(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("help", "Show the help of a command");
  command->add_option("COMMAND", options->command, "The command's words, as `rig press`");
  command->add_option("--format", options->format, "The help of all commands in another form")
      ->check(CLI::IsMember({"text", "man", "markdown"}))
      ->capture_default_str();
  command->footer("Examples:\n  footfall help rig press\n"
                  "  footfall help --format man > footfall.1");
  command->callback([&app, options] { help(app, *options); });
}

}  // namespace footfall
