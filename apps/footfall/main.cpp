// footfall: the command line. Its statuses stand in docs/exit-status.md.
#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <string>
#include <string_view>

#include "command_tree.hpp"
#include "commands.hpp"
#include "footfall/error.hpp"
#include "footfall/io/new_file.hpp"
#include "footfall/version.hpp"
#include "parts.hpp"

namespace {

// The command line as typed, quoted where a shell would want it.
std::string command_line(int argc, char** argv) {
  std::string line = "footfall";
  for (int i = 1; i < argc; ++i) {
    std::string argument = argv[i];
    if (argument.empty() || argument.find_first_of(" \"'[]{}()*?$&|;<>#\\") != std::string::npos) {
      std::string quoted = "'";
      for (const char c : argument) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
      argument = quoted + "'";
    }
    line += " " + argument;
  }
  return line;
}

bool wants_json(int argc, char** argv) {
  return std::find(argv + 1, argv + argc, std::string_view("--json")) != argv + argc;
}

enum Status { kFailed = 1, kWrongInput = 2, kNotWritten = 3 };

// On stderr for people; with --json also on stdout, for programs.
int fail(Status status, const std::string& message, bool json) {
  fmt::print(stderr, "footfall: error: {}\n", message);
  if (json && !footfall::has_printed_json()) {
    const char* kind = status == kFailed ? "failed" : status == kWrongInput ? "input" : "output";
    footfall::Json error{
        {"kind", kind}, {"status", static_cast<int>(status)}, {"message", message}};
    footfall::print_json(footfall::Json{{"error", std::move(error)}});
  }
  return status;
}

// No option and no argument means anything if it is empty; a number would be taken for zero.
void refuse_empty_texts(CLI::App& app) {
  for (CLI::Option* option : app.get_options()) {
    if (option->get_expected_max() == 0) continue;  // a flag
    option->check([](const std::string& text) {
      return text.empty() ? std::string("is empty, expected a value") : std::string();
    });
  }
  for (CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    refuse_empty_texts(*command);
  }
}

// The command that was typed, as far as it is one: "footfall granular show".
std::string typed_command(const CLI::App& app) {
  const auto typed = app.get_subcommands();
  return typed.empty() ? app.get_name() : app.get_name() + " " + typed_command(*typed.front());
}

// Every command, in the order of the help page.
void add_commands(CLI::App& app, const std::string& line) {
  using namespace footfall;
  add_part<parts::serve>(app, {"run", "compare", "view"}, [&](auto& commands) {
    add_run_command(commands, line);
    add_compare_command(commands, line);
    add_view_command(commands);
  });
  add_part<parts::run>(app, {"replay"}, [](auto& commands) { add_replay_command(commands); });
  add_export_command(app);
  add_part<parts::serve>(app, {"report"}, [](auto& commands) { add_report_command(commands); });
  add_part<parts::run>(app, {"inspect", "bench", "stress"}, [](auto& commands) {
    add_inspect_command(commands);
    add_bench_command(commands);
    add_stress_command(commands);
  });
  add_soils_command(app);
  add_rig_command(app);
  add_part<parts::identify>(app, {"identify"},
                            [&](auto& commands) { add_identify_command(commands, line); });
  add_part<parts::reproduce>(app, {"reproduce"},
                             [](auto& commands) { add_reproduce_command(commands); });
  add_mujoco_command(app);
  add_granular_command(app, line);
  add_help_command(app);
  add_completions_command(app);
}

int run_program(int argc, char** argv) {
  using namespace footfall;
  CLI::App app("Footfall: legged robots on ground that gives way.", "footfall");
  app.footer("Examples:\n"
             "  footfall run scenarios/quadruped_sand.toml\n"
             "  footfall run scenarios/quadruped_drop.toml --set soil.name=sand --json\n"
             "  footfall compare scenarios/quadruped_drop.toml --soil sand,concrete\n"
             "  footfall view results/quadruped_sand/run.h5\n"
             "  footfall export results/quadruped_sand/run.h5\n"
             "  footfall inspect robots/quadruped.xml --compare-mujoco\n"
             "  footfall soils --kind plastic --foot disc --radius 0.05 --load 100\n"
             "  footfall identify press.csv --foot disc --radius 0.05 --output my-sand.toml\n"
             "\nfootfall help COMMAND tells more about a command.");
  std::string version(footfall::build_description());
  if (!footfall::parts::mujoco_version.empty()) {
    version += fmt::format(", MuJoCo {}", footfall::parts::mujoco_version);
  }
  app.set_version_flag("--version", version, "Print the version and how the program was built");
  app.set_help_flag("-h,--help", "Print this help");
  app.require_subcommand(0, 1);
  add_commands(app, command_line(argc, argv));
  refuse_empty_texts(app);
  check_names(app, argc, argv);
  try {
    app.parse(argc, argv);
    if (app.get_subcommands().empty()) fmt::print("{}", app.help());
    return 0;
  } catch (const CLI::RuntimeError& end) {
    return end.get_exit_code();
  } catch (const CLI::Success& help) {  // --help, --version
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    const std::string command = typed_command(app);
    const char* what = command == "footfall" ? "the commands and their options" : "its options";
    return fail(kWrongInput, fmt::format("{}\n  {} --help lists {}", error.what(), command, what),
                wants_json(argc, argv));
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file that grows too large is an error of its write
  footfall::protect_inputs();
  try {
    return run_program(argc, argv);
  } catch (const footfall::OutputError& error) {
    return fail(kNotWritten, error.what(), wants_json(argc, argv));
  } catch (const footfall::InputError& error) {
    return fail(kWrongInput, error.what(), wants_json(argc, argv));
  } catch (const std::exception& error) {
    return fail(kFailed, error.what(), wants_json(argc, argv));
  }
}
