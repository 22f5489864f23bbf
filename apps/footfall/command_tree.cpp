#include "command_tree.hpp"

#include <fmt/format.h>

#include <string_view>

#include "footfall/error.hpp"

namespace footfall {
namespace {

// The words between the braces of a type like TEXT:{disc,sphere}=disc.
std::vector<std::string> choices_of(std::string_view type) {
  std::vector<std::string> words;
  const std::size_t open = type.find(":{"), close = type.find('}');
  if (open == type.npos || close == type.npos) return words;
  std::string_view rest = type.substr(open + 2, close - open - 2);
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(','), rest.size());
    words.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return words;
}

CommandOption describe(const CLI::Option& option) {
  CommandOption out;
  for (const std::string& name : option.get_snames()) out.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) out.names.push_back("--" + name);
  out.positional = out.names.empty();
  if (out.positional) out.names.push_back(option.get_name(true));
  const std::string type = option.get_type_name();
  out.choices = choices_of(type);
  if (option.get_expected_max() > 0) out.value = type.substr(0, type.find(':'));
  out.text = option.get_description();
  out.fallback = option.get_default_str();
  out.required = option.get_required();
  return out;
}

void add_commands(const CLI::App& app, const std::string& path, std::vector<Command>& out) {
  Command& here = out.emplace_back();
  here.path = path;
  here.text = app.get_description();
  here.footer = app.get_footer();
  for (const CLI::Option* option : app.get_options()) here.options.push_back(describe(*option));
  std::vector<const CLI::App*> below;
  for (const CLI::App* command : app.get_subcommands({})) {
    if (!command->get_name().empty()) below.push_back(command);
  }
  for (const CLI::App* command : below) here.commands.push_back(command->get_name());
  for (const CLI::App* command : below) {
    add_commands(*command, path.empty() ? command->get_name() : path + " " + command->get_name(),
                 out);
  }
}

std::vector<std::string> names_below(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

std::vector<std::string> long_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

}  // namespace

std::vector<Command> list_commands(const CLI::App& program) {
  std::vector<Command> out;
  add_commands(program, "", out);
  return out;
}

void check_names(const CLI::App& program, int argc, const char* const* argv) {
  const CLI::App* at = &program;
  std::string path = "footfall";
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const std::vector<std::string> below = names_below(*at);
    const bool takes_anything = below.empty() && at->get_allow_extras();  // not in this build
    if (word == "--" || takes_anything) return;
    if (word.starts_with("--")) {
      const std::string name = word.substr(0, word.find('='));
      const std::vector<std::string> known = long_names(*at);
      if (std::ranges::find(known, name) != known.end()) continue;
      throw InputError(fmt::format("{} has no option '{}'{}\n  {} --help lists its options", path,
                                   name, suggestion(name, known), path));
    }
    if (below.empty() || word.starts_with('-')) continue;
    if (std::ranges::find(below, word) == below.end()) {
      throw InputError(fmt::format("{} has no command '{}'{}\n  {} --help lists its commands", path,
                                   word, suggestion(word, below), path));
    }
    at = at->get_subcommand(word);
    path += " " + word;
  }
}

}  // namespace footfall
