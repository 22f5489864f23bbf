// The commands and options of the program as plain data, for completions, the manual and corrections of typing.
#pragma once

#include <string>
#include <vector>

#include "commands.hpp"

namespace footfall {

struct CommandOption {
  std::vector<std::string> names;    // --soil, -o; of a positional its name
  std::string value;                 // what it takes, `FLOAT`; empty: a flag
  std::vector<std::string> choices;  // the words that it takes, if these are all
  std::string text, fallback;        // description, default
  bool positional = false, required = false;
};

struct Command {
  std::string path;  // `rig press`; of the program itself empty
  std::string text, footer;
  std::vector<CommandOption> options;
  std::vector<std::string> commands;  // names of what is below it
};

// The program first, then its commands in the order of the help page, each before those below it.
std::vector<Command> list_commands(const CLI::App& program);

// Throws InputError where the command line names a command or an option that there is not.
void check_names(const CLI::App& program, int argc, const char* const* argv);

}  // namespace footfall
